import type { TrackedState } from "../tracked-state.ts";
import type { AgentHandleState } from "./handle-state.ts";

/** Everything that speaks about one terminal. */
export interface MergedEvidence {
  /** What the program said itself when it was done, in a file or through a hook; null: nothing. */
  finalReport: { result: "success" | "failure" } | null;
  /** null where nobody tracks the screen. */
  tracked: TrackedState | null;
  handle: AgentHandleState;
}

/** Which evidence a merged view rests on, best first. */
export type EvidenceRank = "final-report" | "process-exit" | "tracker" | "silence";

export type MergedView =
  | { type: "reported"; result: "success" | "failure"; basis: "final-report" }
  | { type: "exited"; code: number; basis: "process-exit" }
  | { type: "starting" | "running"; basis: "tracker" | "silence" }
  | { type: "needs-input" | "stale"; sinceMs: number; basis: "tracker" | "silence" };

/** One view of several witnesses: a better one overrules the rest. */
export function mergedView({ finalReport, tracked, handle }: MergedEvidence): MergedView {
  if (finalReport !== null) return { type: "reported", result: finalReport.result, basis: "final-report" };
  if (handle.type === "exited") return { type: "exited", code: handle.code, basis: "process-exit" };
  return (tracked === null ? null : trackedView(tracked, handle)) ?? silentView(handle);
}

/** L13: silence alone says that input is needed; a TUI that shows itself at work is not silent. */
function trackedView(tracked: TrackedState, handle: AgentHandleState): MergedView | null {
  const { diagnostics, surface, turn, stability } = tracked;
  if (diagnostics.availability !== "available") return null;
  const isAsking = surface.shows.type === "dialog" && surface.acceptingInput === "no";
  if (!isAsking && turn.phase === "active") return { type: "running", basis: "tracker" };
  if (!isAsking && turn.phase === "unknown") return null;
  if (handle.type === "stale") return { type: "stale", sinceMs: handle.sinceMs, basis: "silence" };
  return { type: "needs-input", sinceMs: stability.stableSinceMs, basis: "tracker" };
}

function silentView(handle: Exclude<AgentHandleState, { type: "exited" }>): MergedView {
  return { ...handle, basis: "silence" };
}
