import type { Reaped, ReapPlan } from "../../../workspaces/index.ts";
import { cleanLostSessions, type LostSessionPorts } from "./clean-lost-sessions.ts";
import { findDeadBatches, type LostRunPorts, settleLostRuns } from "./lost-runs.ts";
import { planReaping, reap, type ReapScope } from "./reap.ts";

/**
 * Cleans the Sessions of dead parents, destroys the Coder workspaces that they left behind, and settles those of their Triage
 * Runs that have none left.
 */
export async function reapLeaked(
  scope: ReapScope,
  ports: LostRunPorts & LostSessionPorts,
  signal: AbortSignal,
): Promise<{ plan: ReapPlan; reaped: Reaped[] }> {
  const deadBatches = await findDeadBatches(ports);
  await cleanLostSessions(deadBatches, ports, signal);
  const plan = await planReaping(scope, ports, signal);
  const reaped = await reap(plan, ports, signal);
  const stranded = reaped.filter(({ result }) => result.type === "stranded");
  const present = [...plan.keep, ...stranded].map(({ workspace }) => workspace.name);
  const { repos, workspacePrefix } = scope;
  await settleLostRuns(deadBatches, { repos, workspacePrefix, present: new Set(present) }, ports);
  return { plan, reaped };
}
