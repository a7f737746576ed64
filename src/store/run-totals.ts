import { z } from "zod";
import type { Database } from "./database.ts";
import { filtersOf, type RunFilter, wordsAlone } from "./run-filter.ts";

/** Exact counts of runs. */
export interface RunTotals {
  runs: number;
  /** Counts by end status; `live` for runs in progress. */
  statuses: Record<string, number>;
  /** Counts by outcome, or by end status for runs that ended without an outcome. */
  results: Record<string, number>;
  /** Runs that wait for input. */
  waiting: number;
  /** The total cost in US dollars of the `usdRuns` runs that reported a cost. */
  usd: number;
  usdRuns: number;
}

const totalRow = z.object({
  run_id: z.string(),
  status: z.string(),
  result: z.string(),
  runs: z.int(),
  usd_runs: z.int(),
  usd_micros: z.number(),
});
const countRow = z.object({ count: z.int() });
const repoRow = z.object({ repo: z.string() });
type TotalRow = z.infer<typeof totalRow>;

const SUMS = "sum(runs) AS runs, sum(usd_runs) AS usd_runs, sum(usd_micros) AS usd_micros";

/** Returns the totals of a batch, of a time span, or of all runs. */
export function readRunTotals(
  database: Database,
  filter: Pick<RunFilter, "batch" | "endedAfterMs">,
): RunTotals {
  const narrowed = { ...everyRun, ...filter };
  const { conditions, bindings } = filtersOf(database, narrowed);
  const rows =
    filter.endedAfterMs === null
      ? database.all(
          `SELECT '' AS run_id, status, result, ${SUMS} FROM run_totals ${filter.batch === null ? "" : "WHERE run_id = ?"} GROUP BY status, result`,
          ...(filter.batch === null ? [] : [filter.batch]),
        )
      : database.all(
          `SELECT '' AS run_id, status, result, count(*) AS runs, sum(usd_micros > 0) AS usd_runs, sum(usd_micros) AS usd_micros
           FROM run_index WHERE ${conditions.join(" AND ")} GROUP BY status, result`,
          ...bindings,
        );
  // A waiting run is in progress, so the time filter does not apply to it.
  const waiting = countRuns(database, {
    ...everyRun,
    batch: filter.batch,
    activity: { urgency: [0], pullRequest: ["none", "open", "closed", "merged"] },
  });
  return totalsOf(z.array(totalRow).parse(rows), waiting);
}

/** Returns the totals of each of these batches by run id; a batch without runs is absent. `waiting` is 0 in all of them. */
export function readBatchTotals(database: Database, runIds: readonly string[]): Map<string, RunTotals> {
  const rows = database.all(
    `SELECT run_id, status, result, ${SUMS} FROM run_totals WHERE run_id IN (${runIds.map(() => "?").join(", ")}) GROUP BY run_id, status, result`,
    ...runIds,
  );
  const byBatch = new Map<string, TotalRow[]>();
  for (const row of z.array(totalRow).parse(rows))
    byBatch.set(row.run_id, [...(byBatch.get(row.run_id) ?? []), row]);
  return new Map([...byBatch].map(([runId, of]) => [runId, totalsOf(of, 0)]));
}

export function countRuns(database: Database, filter: RunFilter): number {
  const { batch, repo, result, isLiveOnly } = filter;
  const isOfTotals = filter.endedAfterMs === null && filter.text === "";
  const { conditions, bindings } = isOfTotals
    ? filtersOf(database, { ...everyRun, batch, repo, result, activity: filter.activity })
    : filtersOf(database, filter);
  if (isOfTotals && isLiveOnly) conditions.push("run_index.status = 'live'");
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const words = wordsAlone(database, filter);
  if (words !== null)
    return countRow.parse(
      database.all("SELECT count(*) AS count FROM run_text WHERE run_text MATCH ?", words)[0],
    ).count;
  const rows = isOfTotals
    ? database.all(
        `SELECT coalesce(sum(runs), 0) AS count FROM run_totals AS run_index ${where}`,
        ...bindings,
      )
    : database.all(`SELECT count(*) AS count FROM run_index ${where}`, ...bindings);
  return countRow.parse(rows[0]).count;
}

/**
 * Returns the names of the repositories that have runs, sorted, at most `limit`. The query looks up each one in the index
 * separately.
 */
export function readRepositories(database: Database, limit: number): string[] {
  const rows = database.all(
    `WITH RECURSIVE names (repo) AS (
       SELECT min(repo) FROM run_index
       UNION ALL SELECT (SELECT min(repo) FROM run_index WHERE run_index.repo > names.repo) FROM names WHERE names.repo IS NOT NULL
     ) SELECT repo FROM names WHERE repo IS NOT NULL LIMIT ?`,
    limit,
  );
  return z
    .array(repoRow)
    .parse(rows)
    .map(({ repo }) => repo);
}

export function readBatchCount(database: Database): number {
  return countRow.parse(database.all("SELECT count(*) AS count FROM batches")[0]).count;
}

/** Returns the run ids of batches that have runs in progress, newest first. */
export function readBatchesWithLiveRuns(database: Database): string[] {
  const rows = database.all(
    "SELECT DISTINCT run_id FROM run_totals WHERE status = 'live' AND runs > 0 ORDER BY run_id DESC",
  );
  return z
    .array(z.object({ run_id: z.string() }))
    .parse(rows)
    .map(({ run_id }) => run_id);
}

/** The filter that every run matches. */
export const everyRun: RunFilter = {
  batch: null,
  repo: null,
  result: null,
  isLiveOnly: false,
  endedAfterMs: null,
  text: "",
  activity: null,
};

function totalsOf(rows: readonly TotalRow[], waiting: number): RunTotals {
  const totals: RunTotals = { runs: 0, statuses: {}, results: {}, waiting, usd: 0, usdRuns: 0 };
  let micros = 0;
  for (const { status, result, runs, usd_runs, usd_micros } of rows) {
    if (runs === 0) continue;
    totals.runs += runs;
    totals.statuses[status] = (totals.statuses[status] ?? 0) + runs;
    if (result !== "") totals.results[result] = (totals.results[result] ?? 0) + runs;
    totals.usdRuns += usd_runs;
    micros += usd_micros;
  }
  return { ...totals, usd: micros / 1_000_000 };
}
