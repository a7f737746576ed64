import type { AgentHandleState } from "../tui/index.ts";
import { unreachable } from "./illegal-transition.ts";
import type { TriageRunFacts } from "./triage-run-facts.ts";

export interface Indicator {
  symbol: "⚪" | "🟢" | "🟡" | "🟠" | "✅" | "🔴";
  isPulsing: boolean;
}

/** L6: M, after which waiting for input turns stale. */
const STALE_AFTER_MS = 60_000;

/** L9; Starting, which the row leaves open, is white. */
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

/** A settled run counts as exited with 0 unless it failed; a Triage Agent whose end was only inferred, with 1. */
export function deriveHandleState(
  facts: Pick<TriageRunFacts, "activity" | "progress">,
  nowMs: number,
): AgentHandleState {
  const { activity, progress } = facts;
  if (progress.phase === "settled") return { type: "exited", code: progress.end.status === "failed" ? 1 : 0 };
  if (activity.isTerminated) return { type: "exited", code: activity.exitCode ?? 1 };
  if (activity.state === "waiting_input") {
    const sinceMs = activity.lastActivityAtMs;
    return { type: nowMs - sinceMs > STALE_AFTER_MS ? "stale" : "needs-input", sinceMs };
  }
  return activity.firstSignalAtMs === null ? { type: "starting" } : { type: "running" };
}
