export { type Activity, countsAsActivity, hasActivitySince, isCloseAnswered } from "./activity.ts";
export { mayRetry, type UnpublishedRun } from "./decide-retry.ts";
export * from "./decide-eligibility.ts";
export { areRolesChangedSince } from "./role-changes.ts";
export * from "./select-candidates.ts";
export { waitingSinceMs } from "./waiting-since.ts";
