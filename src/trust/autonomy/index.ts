export { autonomyOverview, type KindOverview } from "./autonomy-overview.ts";
export {
  ACCEPTANCE_BAR,
  type AutonomyEvent,
  type AutonomyMove,
  type AutonomyState,
  decideAutonomy,
} from "./decide-autonomy.ts";
export { judgedOutcomes, type JudgedOutcome } from "./judged-outcomes.ts";
export { effectiveLevel, recordOf } from "./effective-level.ts";
