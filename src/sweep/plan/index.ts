export { estimateSweep, type SweepEstimate } from "./estimate.ts";
export { type PlannedIssue, planIssue, type Road } from "./plan-issue.ts";
