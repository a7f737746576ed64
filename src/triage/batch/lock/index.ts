export { haltReason, pauseBeforeRetry, planRetry, type RetryKind } from "./clean-attempts.ts";
export { createInspections, keptEarlier } from "./inspections.ts";
export { destroyWorkspace, holdWorkspace } from "./hold-workspace.ts";
