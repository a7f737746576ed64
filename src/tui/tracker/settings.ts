import type { TurnAnchor } from "./turn-memory.ts";

/** All durations in milliseconds of the events' time line. */
export interface TrackerSettings {
  /** H33: how long the end of a Turn must stand before it is a success. A known time of submit may allow a shorter one (H38). */
  settleMs: Record<TurnAnchor["source"], number>;
  /** The same for an end that the TUI itself announces. */
  announcedSettleMs: number;
  /** H25 */
  staleActiveRecoveryMs: number;
  /** H26 */
  finalRecoveryMs: number;
  /** After a submit the screen may still be the one before it for this long, and is told as it is. */
  repaintMs: number;
  /** A submitted text that never leaves the composer was not taken. */
  submitLostMs: number;
}

export const TRACKER_DEFAULTS: TrackerSettings = {
  settleMs: { explicit_input: 1_000, surface_inference: 1_000 },
  announcedSettleMs: 250,
  staleActiveRecoveryMs: 5_000,
  finalRecoveryMs: 20_000,
  repaintMs: 300,
  submitLostMs: 5_000,
};
