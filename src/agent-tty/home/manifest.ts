import * as z from "zod";

export const exitSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("code"), code: z.number().int() }),
  z.object({ type: z.literal("signal"), signal: z.string() }),
]);

export const statusSchema = z.enum(["running", "exiting", "exited", "failed", "destroying", "destroyed"]);

/** What `session.json` holds. Of the child's environment only the names: values may be secrets. */
export const manifestSchema = z.object({
  version: z.literal(1),
  sessionId: z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/),
  name: z.string().nullable(),
  status: statusSchema,
  command: z.array(z.string()).min(1),
  cwd: z.string(),
  environmentNames: z.array(z.string()),
  term: z.string(),
  cols: z.number().int().positive(),
  rows: z.number().int().positive(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  hostPid: z.number().int(),
  /** Tells the host from a later process with its pid; null where the system does not say. */
  hostStartTicks: z.string().nullable(),
  childPid: z.number().int(),
  exit: exitSchema.nullable(),
  /** Why a `failed` Session failed, or why the engine itself ended one that `exited`. */
  failure: z.string().nullable(),
});

export type SessionManifest = z.infer<typeof manifestSchema>;
