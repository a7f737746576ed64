import { z } from "zod";
import { batchSchema } from "./batch-documents.ts";
import { runRowSchema } from "./run-documents.ts";

/** A row of the store that cannot be read. A list omits it and names it in `damaged` (B7). */
export const damagedRowSchema = z.object({
  runId: z.string(),
  /** null for a batch. */
  repo: z.string().nullable(),
  number: z.int().nullable(),
  problem: z.string(),
});
export type DamagedRowDocument = z.infer<typeof damagedRowSchema>;

const page = {
  /** The rows are at least as new as this change-log sequence, so follow the changes from here. */
  seq: z.int().nonnegative(),
  /** Pass it as `after` to get the next page; null on the last page. */
  next: z.string().nullable(),
  damaged: z.array(damagedRowSchema),
};

export const batchListSchema = z.object({
  schema: z.literal("afk-triage/board-batches@1"),
  ...page,
  batches: z.array(batchSchema),
});
export type BatchListDocument = z.infer<typeof batchListSchema>;

export const runListSchema = z.object({
  schema: z.literal("afk-triage/board-runs@1"),
  ...page,
  /** The exact number of runs that match, on all pages. */
  total: z.int().nonnegative(),
  runs: z.array(runRowSchema),
});
export type RunListDocument = z.infer<typeof runListSchema>;

/** Exact totals over one batch, the last 24 hours or everything (B2). */
export const totalsSchema = z.object({
  schema: z.literal("afk-triage/board-totals@1"),
  runs: z.int().nonnegative(),
  /** Runs in progress whose parent is alive. */
  live: z.int().nonnegative(),
  /** Runs in progress that wait for input and whose parent is alive. */
  waiting: z.int().nonnegative(),
  /** Runs in progress whose parent is dead: `afk-triage reap` settles them. */
  parentLost: z.int().nonnegative(),
  /** The number of runs by outcome, or by end status for runs without an outcome. */
  results: z.record(z.string(), z.int().nonnegative()),
  /** US dollars of the runs that reported a cost; null when none did. */
  usd: z.number().nonnegative().nullable(),
  usdRuns: z.int().nonnegative(),
  /** The number of Triage Batches in the home. */
  batches: z.int().nonnegative(),
  /** The repositories with runs in the home, by name. */
  repos: z.array(z.string()),
});
export type TotalsDocument = z.infer<typeof totalsSchema>;
