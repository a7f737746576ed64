import type { TuiSignals } from "../signals.ts";
import type { TrackedState } from "../tracked-state.ts";
import { draftOf } from "./observe-screen.ts";
import type { SubmittedDraft, TurnMemory } from "./turn-memory.ts";

/** The published state of a terminal without its times. */
export type Published = Omit<TrackedState, "atMs" | "stability">;

const NOTHING: TrackedState["surface"] = {
  shows: { type: "other" },
  acceptingInput: "unknown",
  editingInput: "unknown",
  readyPosture: "unknown",
  pendingInput: "unknown",
};

/**
 * Returns the state to publish. Without a terminal all values are withheld (H13). With any other problem the last values stay,
 * and `availability` names the problem, such as a TUI that is gone (H14).
 */
export function publish(memory: TurnMemory, detector: TrackedState["detector"]): Published {
  const { availability, runtime, parseError, seen, anchor, phase } = memory;
  const signals = availability === "unavailable" ? null : (seen?.signals ?? null);
  return {
    diagnostics: { availability, probeError: runtime.probeError, parseError },
    surface: signals === null ? NOTHING : surfaceOf(signals, memory),
    turn: {
      phase,
      activeReasons: phase === "active" ? (signals?.activeReasons ?? []) : [],
      isExplicitInputArmed: anchor?.source === "explicit_input",
    },
    lastTurn: availability === "unavailable" ? WITHHELD : memory.lastTurn,
    detector,
    evidence: signals?.evidence ?? [],
  };
}

const WITHHELD: TrackedState["lastTurn"] = { result: "none", source: "none", error: null, atMs: null };

function surfaceOf(signals: TuiSignals, memory: TurnMemory): TrackedState["surface"] {
  const { surface, acceptingInput, editingInput, pendingInput } = signals;
  return {
    shows: surface,
    acceptingInput,
    editingInput,
    readyPosture: readyPosture(signals, memory),
    pendingInput,
  };
}

/**
 * Returns the published posture. A recovered screen is ready (H22). A screen whose Turn is known to run is not, even if it looks
 * ready (H23).
 */
function readyPosture(
  signals: TuiSignals,
  { recoveredKey, phase, anchor, seen }: TurnMemory,
): TuiSignals["readyPosture"] {
  if (recoveredKey !== null && phase === "ready") return "yes";
  if (phase !== "active" || signals.readyPosture !== "yes") return signals.readyPosture;
  return isAsBeforeSubmit(anchor?.submitted ?? null, signals, seen?.signature) ? "yes" : "no";
}

/**
 * Returns whether the screen is still the one before the submit, as it is directly after the submit. It is then published as it
 * is.
 */
function isAsBeforeSubmit(
  submitted: SubmittedDraft | null,
  signals: TuiSignals,
  signature: string | undefined,
): boolean {
  if (submitted === null || submitted.wasTaken || !submitted.isFresh) return false;
  const isDraftThere = submitted.draft !== null && submitted.draft === draftOf(signals);
  return isDraftThere || submitted.screenSignature === signature;
}
