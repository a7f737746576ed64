import type { RuntimeFacts, TurnPhase } from "../tracked-state.ts";

/** H5: a run without a TUI in the tracker's words. There a Turn is a process: while it lives, no other prompt is taken. */
export function headlessPhase(process: RuntimeFacts["process"]): TurnPhase {
  switch (process) {
    case "alive":
      return "active";
    case "gone":
      return "ready";
    case "unknown":
      return "unknown";
    default:
      return process satisfies never;
  }
}
