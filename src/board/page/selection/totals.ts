import type { RunRowDocument, TotalsDocument } from "../../api/index.ts";
import { isChosen, isLive, isWaiting, resultOf, type RunFilters } from "./filters.ts";

/** Returns the totals like `GET /api/totals`, for a report, which contains all runs. */
export function totalsOf(
  all: readonly RunRowDocument[],
  chosen: Pick<RunFilters, "batch" | "onlyRecent">,
  nowMs: number,
): TotalsDocument {
  const runs = all.filter((run) => isChosen(run, chosen, nowMs));
  const costs = runs.flatMap(({ usage }) => usage?.usd ?? []);
  const results: Record<string, number> = {};
  for (const run of runs) {
    const result = resultOf(run);
    if (result !== null) results[result] = (results[result] ?? 0) + 1;
  }
  return {
    schema: "afk-triage/board-totals@1",
    runs: runs.length,
    live: runs.filter(isLive).length,
    waiting: runs.filter(isWaiting).length,
    parentLost: runs.filter(({ parentLost }) => parentLost !== null).length,
    results,
    usd: costs.length === 0 ? null : costs.reduce((sum, usd) => sum + usd, 0),
    usdRuns: costs.length,
    batches: new Set(all.map(({ runId }) => runId)).size,
    repos: [...new Set(all.map(({ repo }) => repo))].toSorted(),
  };
}
