import type { Proof, TuiSignals } from "../signals.ts";
import type { Availability, RuntimeFacts, TrackedState, TurnPhase } from "../tracked-state.ts";

/** The tracker's memory between two events. Immutable. */
export interface TurnMemory {
  runtime: RuntimeFacts;
  availability: Availability;
  parseError: string | null;
  /** The last screen that could be read; null: none yet. */
  seen: SeenScreen | null;
  anchor: TurnAnchor | null;
  settle: SettleTimer | null;
  /** The success that was published, as long as it may still be retracted (H34). */
  settled: SettledSuccess | null;
  /** The end that was counted last. Without an anchor the same end is not counted again. */
  countedEnding: string | null;
  quiet: QuietSpell | null;
  /** The key of the screen that a recovery declared idle; the recovery holds while the screen stays the same. */
  recoveredKey: string | null;
  phase: TurnPhase;
  lastTurn: TrackedState["lastTurn"];
}

export interface SeenScreen {
  signals: TuiSignals;
  /** The signature of the visible text. */
  signature: string;
  title: string;
  programReport: string | null;
  size: string;
  /** The time of the last resize. After it, ends of Turns may be read differently, because lines are rewrapped. */
  resizedAtMs: number | null;
}

/** The Turn whose end is awaited (H38). */
export interface TurnAnchor {
  source: "explicit_input" | "surface_inference";
  sinceMs: number;
  /** The end that was on the screen before the submit and has not left it; it is not this Turn's end. */
  staleEnding: string | null;
  submitted: SubmittedDraft | null;
}

/** The screen when the input of an explicit Turn was sent. */
export interface SubmittedDraft {
  /** The composer's text from the evidence; null if none was seen, even directly after the submit. */
  draft: string | null;
  error: string | null;
  /** The signature of the screen when its draft was first seen. */
  screenSignature: string | null;
  /** Whether the TUI has not had time yet to paint the effect of the submit. */
  isFresh: boolean;
  /** Whether the text on the screen has changed since then, other than by a resize. Before that the TUI may be frozen. */
  hasPainted: boolean;
  /** Whether, since then, the composer was seen without that text or the tool was seen working. */
  wasTaken: boolean;
}

export interface SettleTimer {
  signature: string;
  /** A draft that appears or disappears is a change of the surface (H33). */
  editingInput: Proof;
  dueMs: number;
}

export interface SettledSuccess {
  signature: string;
  source: TurnAnchor["source"];
  /** Whether something was typed or opened since then, so that what follows is another Turn (H32). */
  isFollowedByInput: boolean;
}

/** The time since when no signal has changed. */
export interface QuietSpell {
  key: string;
  sinceMs: number;
}

export const newMemory: TurnMemory = {
  runtime: { terminal: "unknown", process: "unknown", probeError: null },
  availability: "unknown",
  parseError: null,
  seen: null,
  anchor: null,
  settle: null,
  settled: null,
  countedEnding: null,
  quiet: null,
  recoveredKey: null,
  phase: "unknown",
  lastTurn: { result: "none", source: "none", error: null, atMs: null },
};
