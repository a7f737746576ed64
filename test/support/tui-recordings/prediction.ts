import type { TrackedState } from "../../../src/tui/index.ts";
import type { Result } from "./truth.ts";

/** The tracker's report at one time, in the terms of the truth files. */
export interface Prediction {
  recording: string;
  t_ms: number;
  phase: "ready" | "active" | "unknown";
  last_result: Result;
  accepting_input: "yes" | "no" | "unknown";
  editing_input: "yes" | "no" | "unknown";
  ready_posture: "yes" | "no" | "unknown";
  availability: string;
}

export function predictionOf(recording: string, atMs: number, state: TrackedState): Prediction {
  return {
    recording,
    t_ms: atMs,
    phase: state.turn.phase,
    last_result: state.lastTurn.result,
    accepting_input: state.surface.acceptingInput,
    editing_input: state.surface.editingInput,
    ready_posture: state.surface.readyPosture,
    availability: state.diagnostics.availability,
  };
}
