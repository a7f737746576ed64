export { type Activity, countsAsActivity } from "./activity.ts";
export * from "./decide-eligibility.ts";
export * from "./select-candidates.ts";
