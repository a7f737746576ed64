import { z } from "zod";

/** Everything `coder-terminal` is told, as one JSON word of argv. Nothing secret: the token is in its environment. */
export const relaySpecSchema = z.strictObject({
  /** argv up to the remote command line, e.g. `coder ssh … --`. */
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
    /** Connections that may be lost after they stood. */
    maxReattaches: z.int(),
    /** How long it is tried to get back, in milliseconds. */
    graceMs: z.int(),
    firstDelayMs: z.int(),
    maxDelayMs: z.int(),
    /** Without a byte, a beat or an answer for this long a connection is taken for dead, in milliseconds. */
    silenceMs: z.int(),
    /** The time that an abandoned connection gets to end by itself, in milliseconds. */
    killAfterMs: z.int(),
    /** Bytes of terminal output that are kept for a connection that comes back later. */
    keptBytes: z.int(),
  }),
  /** Where the token is read again after it was renewed; null: it stays what the environment says. */
  tokenFile: z.string().nullable(),
});

export type RelaySpec = z.infer<typeof relaySpecSchema>;

/** `graceMs` is the run deadline: the API ends a terminal sooner, when the Coder workspace does not run any more. */
export const RELAY_LIMITS: Omit<RelaySpec["limits"], "graceMs"> = {
  maxReattaches: 1_000,
  firstDelayMs: 250,
  maxDelayMs: 10_000,
  // Longer than three beats of the remote side.
  silenceMs: 35_000,
  killAfterMs: 5_000,
  keptBytes: 64 * 1024 ** 2,
};
