import type { Shard } from "../triage/index.ts";
import type { Query } from "./query/index.ts";

/** Settings of a sweep, in addition to those of every batch. */
export interface SweepSettings {
  query: Query;
  /** W3: whether a proposed close is done once nobody has objected for `graceMs`. */
  closes: boolean;
  graceMs: number;
  /** W4: comments of sweeps within 24 hours, for each repository, of all shards together. */
  commentsPerDay: number;
  /** null: the sweep has the whole backlog. */
  shard: Shard | null;
  /** After which a bug that was still there is run again, although the issue is unchanged. */
  recheckMs: number;
  /** Whether an issue that holds no reproduction is given to a Triage Agent. */
  asksTriageAgent: boolean;
}
