export type { BatchPorts, MarkerSettings } from "./batch-context.ts";
export type { BatchEvent, BatchObserver, WatchedPhase } from "./batch-event.ts";
export { StopRequested } from "./failures.ts";
export type { RunMode } from "./owned-runs.ts";
export { planReaping, reapLeaked } from "./recovery/index.ts";
export { refreshPullRequests, triageFiles } from "./run/index.ts";
export { runBatch } from "./run-batch.ts";
export { runDirectory } from "./run-directory.ts";
export { runIdAt } from "./run-id.ts";
export { isInShard } from "./select-issues.ts";
export {
  type BatchSettings,
  type BudgetSettings,
  type CheckoutSettings,
  noBudget,
  type Shard,
} from "./settings.ts";
export type { BatchSummary, IssueStatus, IssueSummary } from "./summary.ts";
export type { TriageErrorCode } from "./triage-error.ts";
export { undoBatch, type UndoneIssue, type UndoPorts, type UndoRequest } from "./undo-batch.ts";
export {
  verificationSessionName,
  verifyStored,
  type VerifiedIssue,
  type VerifyContext,
} from "./verification/index.ts";
