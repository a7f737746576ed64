export { countsOf, pruneAfterBatch } from "./prune-after-batch.ts";
export { pruneHome, type PruneResult } from "./prune-home.ts";
export type { RetentionErrorCode, RetentionLimits } from "./plan-retention.ts";
