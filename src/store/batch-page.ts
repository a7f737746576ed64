import { z } from "zod";
import { type StartedBatch, startedBatch, startedBatchRow } from "./batch-row.ts";
import { damageOf, type DamagedRow } from "./damaged-row.ts";
import type { Database } from "./database.ts";
import { readBatchTotals, type RunTotals } from "./run-totals.ts";
import { storedJson } from "./stored-json.ts";

/** A batch for lists: the totals of its runs, and only the small parts of its summary. */
export interface BatchOverview extends StartedBatch {
  finishedAtMs: number | null;
  /** null for a batch without runs. */
  totals: RunTotals | null;
  /** Parts of the summary; null before the batch ends, and for parts that the summary lacks. They are not validated. */
  summary: { totals: unknown; stranded: unknown; kept: unknown; usd: number | null };
}

/** The batches to read, newest first. `before` is the run id of the last batch of the previous page. */
export type BatchSelection =
  | { type: "page"; before: string | null; limit: number }
  | { type: "unfinished"; limit: number }
  | { type: "one"; runId: string };

const overviewRow = startedBatchRow.extend({
  totals: storedJson(z.unknown()).nullable(),
  stranded: storedJson(z.unknown()).nullable(),
  kept: storedJson(z.unknown()).nullable(),
  usd: z.number().nullable(),
});

const COLUMNS = `run_id, parent, provider, repos, started_at_ms, finished_at_ms,
  json_extract(summary, '$.totals') AS totals, json_extract(summary, '$.stranded') AS stranded,
  json_extract(summary, '$.kept') AS kept,
  (SELECT sum(json_extract(value, '$.usage.usd')) FROM json_each(summary, '$.issues')) AS usd`;

/** Returns batches with the totals of their runs. Batches with damaged rows are returned in `damaged` (B7). */
export function readBatches(
  database: Database,
  selection: BatchSelection,
): { batches: BatchOverview[]; damaged: DamagedRow[] } {
  const rows = select(database, selection);
  const batches: BatchOverview[] = [];
  const damaged: DamagedRow[] = [];
  const totals = readBatchTotals(
    database,
    rows.map(({ run_id }) => String(run_id)),
  );
  for (const row of rows) {
    const parsed = overviewRow.safeParse(row);
    if (parsed.success) batches.push(overviewOf(parsed.data, totals.get(parsed.data.run_id) ?? null));
    else damaged.push(damageOf({ runId: String(row["run_id"]), repo: null, number: null }, parsed.error));
  }
  return { batches, damaged };
}

function select(database: Database, selection: BatchSelection): Record<string, unknown>[] {
  const read = (rest: string, ...bindings: (string | number)[]): Record<string, unknown>[] =>
    database.all(`SELECT ${COLUMNS} FROM batches ${rest}`, ...bindings) as Record<string, unknown>[];
  switch (selection.type) {
    case "one":
      return read("WHERE run_id = ?", selection.runId);
    case "unfinished":
      return read("WHERE finished_at_ms IS NULL ORDER BY run_id DESC LIMIT ?", selection.limit);
    case "page":
      return selection.before === null
        ? read("ORDER BY run_id DESC LIMIT ?", selection.limit)
        : read("WHERE run_id < ? ORDER BY run_id DESC LIMIT ?", selection.before, selection.limit);
  }
}

function overviewOf(row: z.infer<typeof overviewRow>, totals: RunTotals | null): BatchOverview {
  return {
    ...startedBatch(row),
    finishedAtMs: row.finished_at_ms,
    totals,
    summary: { totals: row.totals, stranded: row.stranded, kept: row.kept, usd: row.usd },
  };
}
