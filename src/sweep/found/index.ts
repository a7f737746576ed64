export { claimFromRun, type ObservedRun } from "./claim-from-run.ts";
export { findInIssue } from "./find-in-issue.ts";
export type { FoundReproduction, ReproductionOrigin } from "./found-reproduction.ts";
