import { agentHandleState, type AgentHandleState, waitingState } from "../tui/index.ts";
import { unreachable } from "./illegal-transition.ts";
import type { TriageRunFacts } from "./triage-run-facts.ts";

export interface Indicator {
  symbol: "⚪" | "🟢" | "🟡" | "🟠" | "✅" | "🔴";
  isPulsing: boolean;
}

/** Returns the symbol of a state that the board and `status` show (L9). Starting is white. */
export function indicator(state: AgentHandleState): Indicator {
  switch (state.type) {
    case "starting":
      return { symbol: "⚪", isPulsing: false };
    case "running":
      return { symbol: "🟢", isPulsing: false };
    case "needs-input":
      return { symbol: "🟡", isPulsing: true };
    case "stale":
      return { symbol: "🟠", isPulsing: false };
    case "exited":
      return { symbol: state.code === 0 ? "✅" : "🔴", isPulsing: false };
    default:
      return unreachable(state);
  }
}

/**
 * Returns the AgentHandle state of a Triage Run's Triage Agent at `nowMs`, derived from the stored facts. Better evidence overrules
 * weaker evidence: the run's end, the process's exit, the activity that the Triage Agent signals (L13), the terminal's silence. A
 * settled run counts as exited with 0 unless it failed; an inferred end counts as exited with 1.
 */
export function deriveHandleState(
  facts: Pick<TriageRunFacts, "activity" | "progress" | "runState">,
  nowMs: number,
): AgentHandleState {
  const { activity, progress, runState } = facts;
  if (progress.phase === "settled") return { type: "exited", code: progress.end.status === "failed" ? 1 : 0 };
  if (activity.isTerminated) return { type: "exited", code: activity.exitCode ?? 1 };
  if (activity.state === "waiting_input") return waitingState(activity.lastActivityAtMs, nowMs);
  if (activity.firstSignalAtMs === null) return { type: "starting" };
  // Silence counts only while a prompt is active and the Triage Agent cannot signal what it does.
  if (activity.isSignalCapable || runState.state === "idle") return { type: "running" };
  const { startedAtMs, lastReportAtMs } = runState;
  return agentHandleState({ startedAtMs, lastOutputAtMs: lastReportAtMs, exitCode: null }, nowMs);
}
