import { readFile } from "node:fs/promises";
import { z } from "zod";

// The format of X.truth.json: what the TUI of X.rec.jsonl.gz was really doing, from the model server's timeline, the inputs and
// the process. A gap around each transition is not scored.

/** Labels in which the TUI waits for a prompt. */
export const READY_LABELS = [
  "ready",
  "editing",
  "success_ready",
  "interrupted_ready",
  "failed_ready",
] as const;
export const DIALOG_LABELS = ["permission_prompt", "menu", "trust_dialog"] as const;
export const DOWN_LABELS = ["exited", "tui_down"] as const;

export const labelSchema = z.enum([...READY_LABELS, ...DIALOG_LABELS, ...DOWN_LABELS, "active", "starting"]);
export const resultSchema = z.enum(["none", "success", "interrupted", "known_failure"]);

const intervalSchema = z.object({
  t0: z.number(),
  t1: z.number(),
  label: labelSchema,
  /** Whether the composer contains a draft. */
  draft: z.boolean().default(false),
  last_result: resultSchema.optional(),
  /** Other results that are equally right. */
  accept_last_result: z.array(resultSchema).optional(),
  allowed_last_result: z.array(resultSchema).optional(),
});

const truthSchema = z.looseObject({
  recording: z.string(),
  tool: z.string(),
  scenario: z.string().default(""),
  duration_ms: z.number(),
  intervals: z.array(intervalSchema),
  transitions: z.array(z.looseObject({ t_ms: z.number(), to: z.string().nullish() })).default([]),
  turn_ends: z
    .array(
      z.looseObject({
        t_ms: z.number(),
        result: z.string(),
        /** Whether another Turn follows at once. */
        intermediate: z.boolean().optional(),
        /** Whether the time of the end is not known to the millisecond. */
        soft: z.boolean().optional(),
      }),
    )
    .default([]),
});

export type Label = z.infer<typeof labelSchema>;
export type Result = z.infer<typeof resultSchema>;
export type TruthInterval = z.infer<typeof intervalSchema>;
export type Truth = z.infer<typeof truthSchema>;

/** Rejects with a ZodError or SyntaxError if the file does not have this format. */
export async function readTruth(path: string): Promise<Truth> {
  return truthSchema.parse(JSON.parse(await readFile(path, "utf8")));
}
