import type { BuildRecord, StandInTimings, WorkspaceRecord } from "./stand-in-model.ts";

export interface AgentState {
  status: string;
  lifecycle_state: string;
  /** When its current start-up began; null before the first. */
  startedMs: number | null;
}

/**
 * Returns the current report of the Coder workspace agent about itself. This is internal to the stand-in: the real agent reports
 * to the deployment.
 */
export function agentState(
  workspace: WorkspaceRecord,
  build: BuildRecord,
  timings: StandInTimings,
): AgentState {
  const nowMs = Date.now();
  if (build.startup === "never-connects")
    return { status: "connecting", lifecycle_state: "created", startedMs: null };
  const firstMs = (workspace.builds[0]?.completedMs ?? 0) + timings.connectMs;
  const { reinitialiseMs } = workspace;
  // Until it learns of the claim, it reports the state of the prebuild.
  if (reinitialiseMs !== null && nowMs < reinitialiseMs)
    return { status: "connected", lifecycle_state: "ready", startedMs: firstMs };
  if (reinitialiseMs !== null && nowMs < reinitialiseMs + timings.shutdownMs)
    return { status: "connected", lifecycle_state: "shutting_down", startedMs: firstMs };
  const startedMs = reinitialiseMs === null ? firstMs : reinitialiseMs + timings.shutdownMs;
  if (nowMs < startedMs) return { status: "connecting", lifecycle_state: "created", startedMs: null };
  const isStarting = nowMs < startedMs + timings.startupMs;
  return { status: "connected", lifecycle_state: isStarting ? "starting" : build.startup, startedMs };
}
