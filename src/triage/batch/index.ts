export type { BatchContext, BatchPorts, MarkerSettings } from "./batch-context.ts";
export type { BatchEvent, BatchObserver, WatchedPhase } from "./batch-event.ts";
export { goneReasonOf, isIssueGone, StopRequested } from "./failures.ts";
export type { BatchWork } from "./batch-work.ts";
export { type AssessedIssue, type Candidate, isCandidate } from "./candidate.ts";
export { createPublicationTurns, type PublicationTurns } from "./publication-turns.ts";
export type { RunMode } from "./owned-runs.ts";
export { planReaping, reapLeaked } from "./recovery/index.ts";
export { refreshPullRequests, triageFiles } from "./run/index.ts";
export { runBatch } from "./run-batch.ts";
export { runDirectory } from "./run-directory.ts";
export { runIdAt } from "./run-id.ts";
export type { RunInHand, RunPatience } from "./run-in-hand.ts";
export type { RunRecord } from "./run-record.ts";
export type { Publishable } from "./publishable.ts";
export { isSecurityReport, reporterComments } from "./screen-issue.ts";
export {
  assessIfThere,
  isInShard,
  isRetryDue,
  markerTrust,
  namedIssues,
  type Selection,
  withinLimits,
} from "./select-issues.ts";
export { type Examined, examineByTriageAgent, takeInHand, verifyInPlace } from "./run/index.ts";
export { observeReproduction } from "./verification/index.ts";
export { withholdEvidence } from "./evidence/index.ts";
export {
  type BatchSettings,
  type BudgetSettings,
  type CheckoutSettings,
  noBudget,
  type Shard,
} from "./settings.ts";
export { verificationSessionName } from "./session-names.ts";
export type { BatchSummary, IssueStatus, IssueSummary } from "./summary.ts";
export type { TriageErrorCode } from "./triage-error.ts";
export { undoBatch, type UndoneIssue, type UndoPorts, type UndoRequest } from "./undo-batch.ts";
export { verifyStored, type VerifiedIssue, type VerifyContext } from "./verification/index.ts";
export { triageWork } from "./triage-work.ts";
