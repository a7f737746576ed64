import type { BatchDocument } from "../api/index.ts";
import type { BatchFacts, Store } from "../../store/index.ts";
import { parentState } from "../../workspaces/index.ts";
import type { BatchSummaries, SummaryReading } from "./batch-summaries.ts";

/** While it runs its totals are those of its runs so far; what was skipped before a run began only the summary has. */
export async function batchDocument(
  batch: BatchFacts,
  store: Store,
  summaries: BatchSummaries,
): Promise<BatchDocument> {
  const { runId, repos, provider, parent, startedAtMs, finished } = batch;
  const summary = finished === null ? null : summaries.of(store, runId);
  const runs = store.runsOfBatch(runId);
  const totals = { live: 0, applied: 0, skipped: 0, locked: 0, requeued: 0, failed: 0 };
  for (const { progress } of runs) totals[progress.phase === "settled" ? progress.end.status : "live"] += 1;
  return {
    runId,
    repos: [...repos],
    provider,
    // A batch that has ended needs no parent any more.
    parent: { name: parent, state: finished === null ? await parentState(parent) : "dead" },
    startedAtMs,
    finishedAtMs: finished?.atMs ?? null,
    totals: { ...totals, ...summary?.totals },
    usd: dollars(summary?.issues ?? runs.flatMap(({ result }) => (result === null ? [] : [result]))),
    stranded: (summary?.stranded ?? []).map(({ name, error }) => ({ name, message: error.message })),
  };
}

/** null: nothing told a cost. */
function dollars(spent: readonly Pick<SummaryReading["issues"][number], "usage">[]): number | null {
  const usd = spent.reduce((sum, { usage }) => sum + usage.usd, 0);
  return usd === 0 ? null : usd;
}
