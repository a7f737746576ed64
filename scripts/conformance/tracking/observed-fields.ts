import type { RuntimeFacts, TrackedState, TuiSignals } from "../../../src/tui/index.ts";
import { z } from "zod";

/** Returns a tracked state with the field names of the cases. */
export function observedFields(state: TrackedState): Record<string, unknown> {
  const { diagnostics, surface, turn, lastTurn } = state;
  return {
    "diagnostics.availability": diagnostics.availability,
    "surface.accepting_input": surface.acceptingInput,
    "surface.editing_input": surface.editingInput,
    "surface.ready_posture": surface.readyPosture,
    "surface.pending_input": surface.pendingInput,
    "turn.phase": turn.phase,
    "last_turn.result": lastTurn.result,
    "last_turn.source": lastTurn.source,
    active_reasons: turn.activeReasons,
  };
}

/** Returns the signals of one screen with the field names of the cases. */
export function signalFields(signals: TuiSignals): Record<string, unknown> {
  const { surface, ending, activeReasons } = signals;
  return {
    accepting_input: signals.acceptingInput,
    editing_input: signals.editingInput,
    ready_posture: signals.readyPosture,
    pending_input: signals.pendingInput,
    active_evidence: activeReasons.length > 0,
    active_reasons: activeReasons,
    interrupted: ending?.type === "interrupted",
    known_failure: ending?.type === "known_failure",
    success_candidate: isSuccess(ending),
    success_blocked: !isSuccess(ending),
    current_error_present: signals.currentError !== null,
    ambiguous_interactive_surface: surface.type === "menu" || surface.type === "dialog",
  };
}

export const runtimeSchema = z.looseObject({
  session_exists: z.boolean(),
  pane_exists: z.boolean(),
  pane_dead: z.boolean(),
  pane_pid_alive: z.boolean(),
  supported_process_alive: z.boolean(),
});

/**
 * Converts a probe of the cases. A dead pane is still a terminal; only its program is gone. A program that was never seen may be
 * about to start.
 */
export function runtimeFacts(runtime: z.infer<typeof runtimeSchema>, wasProcessSeen: boolean): RuntimeFacts {
  const isUp = runtime.session_exists && runtime.pane_exists;
  return {
    terminal: isUp ? "up" : "gone",
    process: isUp ? processOf(runtime, wasProcessSeen) : "gone",
    probeError: null,
  };
}

function processOf(
  {
    pane_dead: isDead,
    pane_pid_alive: isShellAlive,
    supported_process_alive: isAlive,
  }: z.infer<typeof runtimeSchema>,
  wasSeen: boolean,
): RuntimeFacts["process"] {
  if (isDead || !isShellAlive) return "gone";
  if (isAlive) return "alive";
  return wasSeen ? "gone" : "unknown";
}

function isSuccess(ending: TuiSignals["ending"]): boolean {
  return ending?.type === "success_candidate" || ending?.type === "success_announced";
}
