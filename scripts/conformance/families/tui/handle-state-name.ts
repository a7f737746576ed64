import type { AgentHandleState } from "../../../../src/tui/index.ts";

/** Returns the name that the cases use for a state. */
export function stateName(state: AgentHandleState): string {
  switch (state.type) {
    case "starting":
      return "Starting";
    case "running":
      return "Running";
    case "needs-input":
      return "NeedsInput";
    case "stale":
      return "Stale";
    case "exited":
      return `Exited(${state.code})`;
    default:
      return state satisfies never;
  }
}
