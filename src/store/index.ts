export { type Binding, type Database, openDatabase } from "./database.ts";
export type { BatchFacts, StartedBatch } from "./batch-row.ts";
export type { Change } from "./change-log.ts";
export { takeExclusiveLock } from "./exclusive-lock.ts";
export {
  followChanges,
  /** @tools Used by scripts/conformance. */ followDefaults,
  type FollowedChange,
  type FollowOptions,
} from "./follow-changes.ts";
export { openOutbox, type Outbox } from "./outbox.ts";
export { openRecordCopy, type RecordCopy } from "./record-copy.ts";
export { recordKinds, type StoreRecord } from "./store-record.ts";
export type { DuplicateLinkFacts } from "./duplicate-link.ts";
export type { BatchOverview } from "./batch-page.ts";
export type { DamagedRow } from "./damaged-row.ts";
export type { ActivityFilter, RunFilter } from "./run-filter.ts";
export { parseRunCursor, type RunPageQuery, type RunSort } from "./run-page.ts";
export type { DayResults, TimeSpan } from "./run-statistics.ts";
export type { RunTotals } from "./run-totals.ts";
export { readRuns, runRowOf, type RunRow, type RunSelection } from "./read-runs.ts";
export { openStore, type RecordBatchResult, type Store, type StoreOptions } from "./store.ts";
export type { StoredTrustFact } from "./trust-fact-row.ts";
export type { StoreErrorCode } from "./store-error.ts";
