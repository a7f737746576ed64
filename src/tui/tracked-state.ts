import type { Evidence, Proof, Surface } from "./signals.ts";
import type { TuiScreen } from "./tui-screen.ts";

/** H12–H16 */
export type Availability = "available" | "tui_down" | "unavailable" | "error" | "unknown";
export type TurnPhase = "ready" | "active" | "unknown";
export type TurnResult = "success" | "interrupted" | "known_failure" | "none";
/** H38 */
export type TurnSource = "explicit_input" | "surface_inference" | "none";

/** What a terminal with a coding TUI is known to be doing (H2, H11). Immutable; times are the caller's milliseconds. */
export interface TrackedState {
  atMs: number;
  diagnostics: { availability: Availability; probeError: string | null; parseError: string | null };
  surface: {
    shows: Surface;
    acceptingInput: Proof;
    editingInput: Proof;
    readyPosture: Proof;
    pendingInput: Proof;
  };
  turn: { phase: TurnPhase; activeReasons: readonly string[]; isExplicitInputArmed: boolean };
  /** Sticky (H32). */
  lastTurn: { result: TurnResult; source: TurnSource; error: string | null; atMs: number | null };
  /** H34: of the published state; `signature` is over the ANSI-stripped, right-trimmed visible text. */
  stability: { signature: string; stableSinceMs: number };
  detector: { family: string; profile: string; observedVersion: string | null; profileExtrapolated: boolean };
  evidence: readonly Evidence[];
}

/** What a tracker hears. Every event carries its time, so that a replay needs no clock of its own (H4). */
export type TrackerEvent =
  | { type: "screen"; screen: TuiScreen; atMs: number }
  /** Input was submitted through us (H1): arms an explicit Turn. */
  | { type: "submitted"; atMs: number }
  | { type: "probed"; runtime: RuntimeFacts; atMs: number }
  | { type: "tick"; atMs: number };

/** What probes say of the terminal and of the TUI's process; `unknown` is a probe that could not be made (O13). */
export interface RuntimeFacts {
  terminal: "up" | "gone" | "unknown";
  process: "alive" | "gone" | "unknown";
  /** A probe that failed, in its words. */
  probeError: string | null;
}

/** H2: the one owner of detection, settling and reduction for one terminal. */
export interface Tracker {
  apply(event: TrackerEvent): TrackedState;
  readonly state: TrackedState;
  /** When the next timer is due, on the events' time line: send a `tick` then. null: nothing is armed. */
  readonly nextTimerMs: number | null;
}
