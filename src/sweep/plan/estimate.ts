import type { PlannedIssue, Road } from "./plan-issue.ts";

/** The maximum cost of a sweep, as far as it is known before it begins. */
export interface SweepEstimate {
  issues: number;
  byRoad: Partial<Record<Road, number>>;
  /** The number of issues that a Triage Agent examines. */
  triageAgents: number;
  /** The maximum cost in dollars; null: no budget limits it. */
  usd: number | null;
  coderWorkspaces: number;
}

export interface EstimateLimits {
  /** The dollars that one Triage Run may cost; null: unlimited. */
  runUsd: number | null;
  /** The dollars after which no further Triage Run begins; null: unlimited. */
  batchUsd: number | null;
}

/** Returns an upper bound of a plan's cost. Pure. */
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
    // An issue needs one Coder workspace for the lock and the runs, and a second one if a Triage Agent worked in the first (V1).
    coderWorkspaces: planned.length - (byRoad.comment ?? 0) + triageAgents,
  };
}
