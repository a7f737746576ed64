import { z } from "zod";

/** The complete input of `coder-terminal`, as one JSON word of argv. It contains no secret: the token is in the environment. */
export const relaySpecSchema = z.strictObject({
  /** The argv up to the remote command line, e.g. `coder ssh … --`. */
  ssh: z.tuple([z.string()], z.string()),
  workspaceId: z.string(),
  remote: z.strictObject({
    name: z.string(),
    stateDirectory: z.string(),
    directory: z.string(),
    rcFile: z.string(),
    nonce: z.string(),
  }),
  limits: z.strictObject({
    /** The largest number of established connections that may be lost. */
    maxReattaches: z.int(),
    /** How long to try to connect again after a loss, in milliseconds. */
    graceMs: z.int(),
    firstDelayMs: z.int(),
    maxDelayMs: z.int(),
    /** A connection without a byte, a beat or an answer for this long, in milliseconds, counts as dead. */
    silenceMs: z.int(),
    /** The time within which an abandoned connection may end by itself, in milliseconds. */
    killAfterMs: z.int(),
    /** The number of bytes of terminal output that are kept for a later connection. */
    keptBytes: z.int(),
  }),
  /** The file from which the token is read again after it was renewed; null: the token is always the environment's. */
  tokenFile: z.string().nullable(),
});

export type RelaySpec = z.infer<typeof relaySpecSchema>;

/**
 * The limits of a relay. `graceMs` is the run deadline; the terminal ends sooner if the API reports that the Coder workspace no
 * longer runs.
 */
export const RELAY_LIMITS: Omit<RelaySpec["limits"], "graceMs"> = {
  maxReattaches: 1_000,
  firstDelayMs: 250,
  maxDelayMs: 10_000,
  // This is longer than three beats of the remote side.
  silenceMs: 35_000,
  killAfterMs: 5_000,
  keptBytes: 64 * 1024 ** 2,
};
