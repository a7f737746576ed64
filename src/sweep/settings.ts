import type { Shard } from "../triage/index.ts";
import type { Query } from "./query/index.ts";

/** Settings of a sweep, in addition to those of every batch. */
export interface SweepSettings {
  query: Query;
  /** Whether a proposed close is performed if no person has objected within `graceMs` (W3). */
  closes: boolean;
  graceMs: number;
  /** The maximum number of sweep comments per repository within 24 hours, of all shards together (W4). */
  commentsPerDay: number;
  /** null: the sweep works on the whole backlog. */
  shard: Shard | null;
  /** The time in milliseconds after which the reproduction of a still broken bug runs again, although the issue is unchanged. */
  recheckMs: number;
  /** Whether a Triage Agent examines an issue that contains no reproduction. */
  asksTriageAgent: boolean;
}
