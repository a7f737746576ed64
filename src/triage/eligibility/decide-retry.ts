import { type ActivityFacts, countsAsActivity } from "./activity.ts";

/** A Triage Run that cost money and published nothing. */
export interface UnpublishedRun {
  /** The time at which the issue was read: what people did later was not part of the run. */
  readAtMs: number;
  endedAtMs: number;
  /** `infrastructure`: a lost connection, GitHub or the disk; or the issue changed during the run. */
  cause: "triage-agent" | "infrastructure";
}

/**
 * This many failures of the infrastructure do not count. Further ones do, because the issue itself may break its Coder workspace.
 */
const FREE_OF_INFRASTRUCTURE = 3;
const FIRST_WAIT_MS = 60 * 60_000;
const BACKOFF = 4;

/**
 * Returns whether an issue whose Triage Runs failed may be tried again. Without a wait, every batch would pay for it (T9, S14).
 * The issue waits an hour, then four times as long after each further failure, at most the cooldown. A later comment or edit by a
 * person ends the wait. `runs`: the runs since the last publication, the newest first.
 */
export function mayRetry(
  runs: readonly UnpublishedRun[],
  facts: ActivityFacts,
  { cooldownMs, nowMs }: { cooldownMs: number; nowMs: number },
): boolean {
  const [last] = runs;
  if (last === undefined) return true;
  const failures = runs.filter(({ cause }) => cause === "triage-agent").length;
  const counted = failures + Math.max(0, runs.length - failures - FREE_OF_INFRASTRUCTURE);
  if (counted === 0) return true;
  const waitMs = Math.min(cooldownMs, FIRST_WAIT_MS * BACKOFF ** (counted - 1));
  return nowMs >= last.endedAtMs + waitMs || hasPersonActedSince(last, facts);
}

/**
 * Returns whether a person has written to the issue since. The REST API does not report who edited an issue. A person did if the
 * issue's `updatedAt` is newer than `sinceMs`, unless a comment by a bot or by us explains it.
 */
function hasPersonActedSince(last: UnpublishedRun, facts: ActivityFacts): boolean {
  // A change to the issue during the run must not make it eligible again at once, in a loop.
  const sinceMs = last.cause === "infrastructure" ? last.endedAtMs : last.readAtMs;
  const { issue, comments } = facts;
  const later = comments.filter(({ updatedAt }) => Date.parse(updatedAt) > sinceMs);
  if (later.some(({ author }) => countsAsActivity(author, { ...facts, activity: "anyone" }))) return true;
  const explainedMs = Math.max(sinceMs, ...later.map(({ updatedAt }) => Date.parse(updatedAt) + SLACK_MS));
  return Date.parse(issue.updatedAt) > explainedMs;
}

/** An issue's `updatedAt` may be a second later than its comment's. */
const SLACK_MS = 2_000;
