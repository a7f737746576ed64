export type { BatchPorts, MarkerSettings } from "./batch-context.ts";
export type { BatchEvent, BatchObserver, WatchedPhase } from "./batch-event.ts";
export { MAX_LEASE_MARGIN_MS, runBatch } from "./run-batch.ts";
export { runIdAt } from "./run-id.ts";
export { StopRequested } from "./run-record.ts";
export { isInShard } from "./select-issues.ts";
export type { BatchSettings, CheckoutSettings, Shard } from "./settings.ts";
export type { BatchSummary, IssueStatus, IssueSummary } from "./summary.ts";
export type { TriageErrorCode } from "./triage-error.ts";
