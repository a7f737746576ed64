/**
 * How the gaps of a Session appear in its recording: `recorded` keeps them, `accelerated` cuts them to `ACCELERATED_GAP_MS`, and
 * `max-speed` removes them.
 */
export type CastTiming = "recorded" | "accelerated" | "max-speed";

export const ACCELERATED_GAP_MS = 500;

/** Returns how long a gap of the Session lasts in its recording. */
export function shownGap(gapMs: number, timing: CastTiming): number {
  switch (timing) {
    case "recorded":
      return gapMs;
    case "accelerated":
      return Math.min(gapMs, ACCELERATED_GAP_MS);
    case "max-speed":
      return 0;
    default:
      return timing satisfies never;
  }
}
