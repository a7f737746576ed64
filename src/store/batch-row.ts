import { z } from "zod";
import type { Binding } from "./database.ts";
import { storedJson } from "./stored-json.ts";

export interface StartedBatch {
  runId: string;
  /** The parent's `hostname/pid/startTime`, as in the lease, to ask whether the batch still runs. */
  parent: string;
  /** The kind of the Coder workspace provider; null where an older version did not record it. */
  provider: string | null;
  /** Each is `owner/name`. */
  repos: readonly string[];
  startedAtMs: number;
}

export interface BatchFacts extends StartedBatch {
  /** null while the batch runs, and forever if its parent was killed. */
  finished: { atMs: number; summary: unknown } | null;
}

export const batchColumns = "run_id, parent, provider, repos, started_at_ms, finished_at_ms, summary";

/** The columns of a batch without its summary. */
export const startedBatchRow = z.object({
  run_id: z.string(),
  parent: z.string(),
  provider: z.string().nullable(),
  repos: storedJson(z.array(z.string())),
  started_at_ms: z.number(),
  finished_at_ms: z.number().nullable(),
});

export const batchRow = startedBatchRow
  .extend({ summary: storedJson(z.json()).nullable() })
  .transform((row): BatchFacts => ({
    ...startedBatch(row),
    finished: row.finished_at_ms === null ? null : { atMs: row.finished_at_ms, summary: row.summary },
  }));

/** Returns the facts that are known from the start of a batch on. */
export function startedBatch(row: z.infer<typeof startedBatchRow>): StartedBatch {
  const { run_id: runId, parent, provider, repos, started_at_ms: startedAtMs } = row;
  return { runId, parent, provider, repos, startedAtMs };
}

/** Returns the SQL bindings of a batch. */
export function batchBindings(batch: StartedBatch): Record<string, Binding> {
  return {
    runId: batch.runId,
    parent: batch.parent,
    provider: batch.provider,
    repos: JSON.stringify(batch.repos),
    startedAtMs: batch.startedAtMs,
  };
}
