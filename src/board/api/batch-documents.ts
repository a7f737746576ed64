import { z } from "zod";
import { phaseStepSchema, runRowSchema } from "./run-documents.ts";

export const batchSchema = z.object({
  runId: z.string(),
  repos: z.array(z.string()),
  provider: z.string().nullable(),
  /** The parent's `host/pid/startTime`, and whether it is still running, as far as this machine can determine. */
  parent: z.object({ name: z.string(), state: z.enum(["alive", "dead", "unknown"]) }),
  startedAtMs: z.int().nonnegative(),
  /** null while the batch runs, and forever if its parent was killed. */
  finishedAtMs: z.int().nonnegative().nullable(),
  totals: z.object({
    live: z.int(),
    applied: z.int(),
    skipped: z.int(),
    locked: z.int(),
    requeued: z.int(),
    failed: z.int(),
  }),
  usd: z.number().nonnegative().nullable(),
  stranded: z.array(z.object({ name: z.string(), message: z.string() })),
  /** Coder workspaces of failed runs that are kept for inspection, each until `untilMs`. */
  kept: z.array(z.object({ name: z.string(), issue: z.string(), untilMs: z.int().nonnegative() })),
});
export type BatchDocument = z.infer<typeof batchSchema>;

/** The Triage Runs of one batch, each with its phases, in the order in which they started. */
export const batchTimelineSchema = z.object({
  schema: z.literal("afk-triage/board-batch-timeline@1"),
  runs: z.array(z.object({ run: runRowSchema, history: z.array(phaseStepSchema) })),
  /** Whether the batch has more runs than are listed. */
  isTruncated: z.boolean(),
});
export type BatchTimelineDocument = z.infer<typeof batchTimelineSchema>;
