export { autonomyOverview, type KindOverview } from "./autonomy-overview.ts";
export {
  type AutonomyEvent,
  type AutonomyMove,
  type AutonomyState,
  decideAutonomy,
} from "./decide-autonomy.ts";
export { effectiveLevel, recordOf } from "./effective-level.ts";
