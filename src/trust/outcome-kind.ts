/**
 * The kinds to which autonomy applies: the state role that an outcome proposes, or `close` for every outcome that closes an
 * issue.
 */
export const outcomeKinds = [
  "needs-triage",
  "needs-info",
  "ready-for-agent",
  "ready-for-human",
  "close",
] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/** The levels of autonomy, from nothing to everything. `shadow` only records outcomes. */
export const autonomyLevels = ["off", "shadow", "suggest", "apply"] as const;
export type AutonomyLevel = (typeof autonomyLevels)[number];

/** A level, or `earned`: the level that the record of past outcomes allows. */
export type AutonomySetting = AutonomyLevel | "earned";

export type AutonomySettings = Readonly<Record<OutcomeKind, AutonomySetting>>;
