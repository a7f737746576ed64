import type { Evidence, Proof, Surface } from "./signals.ts";
import type { TuiScreen } from "./tui-screen.ts";

/** Whether the evidence on the screen can be believed, and if not, why (H12–H16). */
export type Availability = "available" | "tui_down" | "unavailable" | "error" | "unknown";
export type TurnPhase = "ready" | "active" | "unknown";
export type TurnResult = "success" | "interrupted" | "known_failure" | "none";
/** The source of a Turn: an explicit input, an inference from the surface, or none (H38). */
export type TurnSource = "explicit_input" | "surface_inference" | "none";

/**
 * The tracked state of a terminal with a coding TUI: surface, Turn and last result (H2), with the name of its detector (H11).
 * Immutable; times are the caller's milliseconds.
 */
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
  /** Sticky: only the end of another Turn changes it (H32). */
  lastTurn: { result: TurnResult; source: TurnSource; error: string | null; atMs: number | null };
  /**
   * The stability of the published state, by which a success may still be retracted (H34). `signature` covers the visible text
   * without ANSI sequences and trailing spaces.
   */
  stability: { signature: string; stableSinceMs: number };
  detector: { family: string; profile: string; observedVersion: string | null; profileExtrapolated: boolean };
  evidence: readonly Evidence[];
}

/** An event of a tracker. Every event has its time, so that a replay needs no clock of its own (H4). */
export type TrackerEvent =
  | { type: "screen"; screen: TuiScreen; atMs: number }
  /** Input was submitted through us, which marks the start of an explicit Turn (H1). */
  | { type: "submitted"; atMs: number }
  | { type: "probed"; runtime: RuntimeFacts; atMs: number }
  | { type: "tick"; atMs: number };

/**
 * The results of probing the terminal and the TUI's process. `unknown` means that the probe could not be made, which changes
 * nothing (O13).
 */
export interface RuntimeFacts {
  terminal: "up" | "gone" | "unknown";
  process: "alive" | "gone" | "unknown";
  /** The error message of a failed probe. */
  probeError: string | null;
}

/** The only component that detects, settles and reduces the state of one terminal (H2). */
export interface Tracker {
  apply(event: TrackerEvent): TrackedState;
  readonly state: TrackedState;
  /** The time of the next timer, on the events' time line: send a `tick` then. null: no timer is armed. */
  readonly nextTimerMs: number | null;
}
