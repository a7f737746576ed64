import type { PlannedIssue, Road } from "./plan-issue.ts";

/** The maximum cost of a sweep, as far as it is known before it begins. */
export interface SweepEstimate {
  issues: number;
  byRoad: Partial<Record<Road, number>>;
  /** Issues that are given to a Triage Agent. */
  triageAgents: number;
  /** Dollars at most; null: no budget bounds it. */
  usd: number | null;
  coderWorkspaces: number;
}

export interface EstimateLimits {
  /** Dollars one Triage Run may cost; null: unbounded. */
  runUsd: number | null;
  /** Dollars after which no further Triage Run begins; null: unbounded. */
  batchUsd: number | null;
}

/** Pure. The cost of a plan, from above. */
export function estimateSweep(
  planned: readonly Pick<PlannedIssue, "road">[],
  { runUsd, batchUsd }: EstimateLimits,
): SweepEstimate {
  const byRoad: SweepEstimate["byRoad"] = {};
  for (const { road } of planned) byRoad[road] = (byRoad[road] ?? 0) + 1;
  const triageAgents = byRoad["triage-agent"] ?? 0;
  const byRun = runUsd === null ? null : triageAgents * runUsd;
  const bounds = [byRun, batchUsd === null ? null : batchUsd + (runUsd ?? 0)].filter((one) => one !== null);
  return {
    issues: planned.length,
    byRoad,
    triageAgents,
    usd: triageAgents === 0 ? 0 : bounds.length === 0 ? null : Math.min(...bounds),
    // One for the lock and the runs; a second one where a Triage Agent was in the first (V1).
    coderWorkspaces: planned.length - (byRoad.comment ?? 0) + triageAgents,
  };
}
