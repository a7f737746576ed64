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
export type { DuplicateLinkFacts } from "./duplicate-link.ts";
export { readRuns, type RunRow, type RunSelection } from "./read-runs.ts";
export { openStore, type RecordBatchResult, type Store, type StoreOptions } from "./store.ts";
export type { StoredTrustFact } from "./trust-fact-row.ts";
export type { StoreErrorCode } from "./store-error.ts";
