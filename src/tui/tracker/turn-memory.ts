import type { Proof, TuiSignals } from "../signals.ts";
import type { Availability, RuntimeFacts, TrackedState, TurnPhase } from "../tracked-state.ts";

/** What the tracker carries from one event to the next. Immutable. */
export interface TurnMemory {
  runtime: RuntimeFacts;
  availability: Availability;
  parseError: string | null;
  /** The last screen that could be read; null: none yet. */
  seen: SeenScreen | null;
  anchor: TurnAnchor | null;
  settle: SettleTimer | null;
  /** The success that stands, while it may still prove premature (H34). */
  settled: SettledSuccess | null;
  /** The end that was last counted. Without an anchor the same end is not counted again. */
  countedEnding: string | null;
  quiet: QuietSpell | null;
  /** Of the screen that a recovery has declared idle: as long as it stays the same, so does the verdict. */
  recoveredKey: string | null;
  phase: TurnPhase;
  lastTurn: TrackedState["lastTurn"];
}

export interface SeenScreen {
  signals: TuiSignals;
  /** Of the visible text. */
  signature: string;
  title: string;
  programReport: string | null;
  size: string;
  /** Ends of Turns may read differently since then: lines are wrapped anew. */
  resizedAtMs: number | null;
}

/** The Turn whose end is awaited (H38). */
export interface TurnAnchor {
  source: "explicit_input" | "surface_inference";
  sinceMs: number;
  /** An end that was on the screen before the submit and has not left it since: not this Turn's. */
  staleEnding: string | null;
  submitted: SubmittedDraft | null;
}

/** What the screen was when the input of an explicit Turn was sent. */
export interface SubmittedDraft {
  /** The composer's text as the evidence has it; null where none was seen, also not right after the submit. */
  draft: string | null;
  error: string | null;
  screenSignature: string | null;
  /** Until it is time for the TUI to have painted what the submit did. */
  isFresh: boolean;
  /** Whether the composer was since seen without that text, or the tool at work. */
  wasTaken: boolean;
}

export interface SettleTimer {
  signature: string;
  /** A draft that comes or goes is a change of the surface that must stand (H33). */
  editingInput: Proof;
  dueMs: number;
}

export interface SettledSuccess {
  signature: string;
  source: TurnAnchor["source"];
  /** Something was typed or opened since: what follows is another Turn (H32). */
  isFollowedByInput: boolean;
}

/** Since when nothing that speaks has changed. */
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
