import * as z from "zod/mini";

export const exitSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("code"), code: z.int() }),
  z.object({ type: z.literal("signal"), signal: z.string() }),
]);

export const statusSchema = z.enum(["running", "exiting", "exited", "failed", "destroying", "destroyed"]);

/** The content of `session.json`. It keeps only the names of the child's environment variables: their values may be secrets. */
export const manifestSchema = z.object({
  version: z.literal(1),
  sessionId: z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/)),
  name: z.nullable(z.string()),
  status: statusSchema,
  command: z.array(z.string()).check(z.minLength(1)),
  cwd: z.string(),
  environmentNames: z.array(z.string()),
  term: z.string(),
  cols: z.int().check(z.positive()),
  rows: z.int().check(z.positive()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  hostPid: z.int(),
  /** Distinguishes the host from a later process with the same pid; null if the system does not report it. */
  hostStartTicks: z.nullable(z.string()),
  childPid: z.int(),
  exit: z.nullable(exitSchema),
  /** Why a `failed` Session failed, or why the engine itself ended one that `exited`. */
  failure: z.nullable(z.string()),
});

export type SessionManifest = z.infer<typeof manifestSchema>;
