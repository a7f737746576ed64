/** The kinds for which autonomy is set: the state role that an outcome proposes, or `close` for everything that closes an issue. */
export const outcomeKinds = [
  "needs-triage",
  "needs-info",
  "ready-for-agent",
  "ready-for-human",
  "close",
] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/** How far the applier goes, from nothing at all to everything. `shadow` only records. */
export const autonomyLevels = ["off", "shadow", "suggest", "apply"] as const;
export type AutonomyLevel = (typeof autonomyLevels)[number];

/** A level, or `earned`: the level that the record of past outcomes allows. */
export type AutonomySetting = AutonomyLevel | "earned";

/** The setting of every kind. */
export type AutonomySettings = Readonly<Record<OutcomeKind, AutonomySetting>>;
