import type { TuiSignals } from "./signals.ts";
import type { TuiScreen } from "./tui-screen.ts";

export type DetectorFamily = "claude_code" | "codex_tui" | "unsupported_tool" | (string & {});

/** Reads the screens of one terminal, in order of time. */
export interface TuiDetector {
  /** Same screens at the same times give the same signals; what it keeps of earlier ones is bounded and private (H9). */
  detect(screen: TuiScreen, atMs: number): TuiSignals;
}

export type Version = readonly [major: number, minor: number, patch: number];

/** H6, H7: one range of versions of one tool. A folder registers its profiles; nothing else knows of them. */
export interface DetectorProfile {
  family: DetectorFamily;
  /** e.g. `2.1.x`; `fallback` has no floor. */
  name: string;
  /** The first version it serves; null: any that nothing else serves. */
  floor: Version | null;
  /** The first version it was not tested with; from there on the state is extrapolated. null: never tested. */
  testedBelow: Version | null;
  create(): TuiDetector;
}
