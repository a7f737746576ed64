import type { TurnAnchor } from "./turn-memory.ts";

/** All durations are milliseconds of the events' time line. */
export interface TrackerSettings {
  /**
   * The time that an end must stay before it is a success (H33), by the source of the Turn (H38). A known time of submit may
   * allow a shorter one.
   */
  settleMs: Record<TurnAnchor["source"], number>;
  /** The same for an end that the TUI itself announces. */
  announcedSettleMs: number;
  /** The time after which stale active evidence counts as idle (H25). */
  staleActiveRecoveryMs: number;
  /** The time after which any unchanged screen counts as idle (H26). */
  finalRecoveryMs: number;
  /** For this long after a submit, the screen may still be the one from before it and is published unchanged. */
  repaintMs: number;
  /**
   * A submitted text that stays in the composer for this long was not taken, if the TUI has painted since the submit. Otherwise the
   * final recovery decides.
   */
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
