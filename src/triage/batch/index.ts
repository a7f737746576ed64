export type { BatchPorts, MarkerSettings } from "./batch-context.ts";
export type { BatchEvent, BatchObserver, WatchedPhase } from "./batch-event.ts";
export { triageFiles } from "./control-files.ts";
export { refreshPullRequests } from "./refresh-pull-requests.ts";
export type { RunMode } from "./owned-runs.ts";
export { planReaping } from "./reap.ts";
export { reapLeaked } from "./reap-leaked.ts";
export { runBatch } from "./run-batch.ts";
export { runDirectory } from "./run-directory.ts";
export { runIdAt } from "./run-id.ts";
export { StopRequested } from "./run-record.ts";
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
export { verificationSessionName } from "./verify-reproduction.ts";
export { verifyStored, type VerifiedIssue, type VerifyContext } from "./verify-stored.ts";
export { undoBatch, type UndoneIssue, type UndoPorts, type UndoRequest } from "./undo-batch.ts";
