import type { TuiSignals } from "./signals.ts";
import type { TuiScreen } from "./tui-screen.ts";

export type DetectorFamily = "claude_code" | "codex_tui" | "unsupported_tool" | (string & {});

/** Reads the screens of one terminal in order of time. */
export interface TuiDetector {
  /**
   * Returns the signals of a screen. The same screens at the same times produce the same signals. The memory of earlier screens
   * is bounded and private to the detector (H9).
   */
  detect(screen: TuiScreen, atMs: number): TuiSignals;
}

export type Version = readonly [major: number, minor: number, patch: number];

/**
 * The detector of one range of versions (H7) of one tool (H6). Each tool's folder exports its profiles; no other code depends on
 * them.
 */
export interface DetectorProfile {
  family: DetectorFamily;
  /** For example `2.1.x`; `fallback` has no floor. */
  name: string;
  /** The oldest version that this profile serves; null: it serves every version that has no other profile. */
  floor: Version | null;
  /**
   * The oldest version that the profile was not tested with; from that version on its states are extrapolated. null: it was never
   * tested.
   */
  testedBelow: Version | null;
  create(): TuiDetector;
}

/** Counts the Turns that a detector saw in its terminal, to distinguish their ends. */
export class TurnCounter {
  #number = 0;
  #isActive = false;

  get number(): number {
    return this.#number;
  }

  /** Records a frame. A Turn begins when work follows rest. */
  note(isActive: boolean): void {
    if (isActive && !this.#isActive) this.#number += 1;
    this.#isActive = isActive;
  }
}
