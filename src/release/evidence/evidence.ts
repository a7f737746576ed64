import { z } from "zod";

const commandSchema = z.object({
  kind: z.enum(["setup", "verify"]),
  command: z.string(),
  end: z.enum(["completed", "timed-out", "interrupted"]),
  /** null unless the command completed. */
  exitCode: z.int().nullable(),
  durationMs: z.int().nonnegative(),
  /** The end of its output as plain text, bounded, without secrets. */
  output: z.string(),
});

/** The recorded results of the commands that verified a release. */
export const evidenceSchema = z.object({
  status: z.enum(["passed", "failed"]),
  startedAt: z.iso.datetime(),
  sessionId: z.string(),
  /** Path of the asciicast; null when it could not be kept. */
  recording: z.string().nullable(),
  /** In order. Commands after a failed one were not run. */
  commands: z.array(commandSchema),
});

export type VerificationEvidence = z.infer<typeof evidenceSchema>;
export type CommandEvidence = z.infer<typeof commandSchema>;
