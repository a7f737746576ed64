import { type ActivityFacts, countsAsActivity } from "./activity.ts";

/** A Triage Run that cost money and published nothing. */
export interface UnpublishedRun {
  /** The issue was read before that: what people did since was not part of it. */
  readAtMs: number;
  endedAtMs: number;
  /** `infrastructure`: a lost connection, GitHub, the disk; or the issue changed meanwhile. */
  cause: "triage-agent" | "infrastructure";
}

/** This many in a row may be bad luck, whatever the issue does to its Coder workspace. */
const FREE_OF_INFRASTRUCTURE = 3;
const FIRST_WAIT_MS = 60 * 60_000;
const BACKOFF = 4;

/**
 * S14, T9: an issue whose Triage Agent fails would otherwise be paid for in every batch. It waits an hour, then four times
 * as long after each further failure, at most the cooldown; a person's comment or edit since ends the wait. `runs`: since
 * the last publication, the newest first.
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

/** REST does not say who edited an issue: its own time of change does, unless a bot's comment or ours explains it. */
function hasPersonActedSince(last: UnpublishedRun, facts: ActivityFacts): boolean {
  // A change to the issue during the run must not make it eligible again at once, in a loop.
  const sinceMs = last.cause === "infrastructure" ? last.endedAtMs : last.readAtMs;
  const { issue, comments } = facts;
  const later = comments.filter(({ updatedAt }) => Date.parse(updatedAt) > sinceMs);
  if (later.some(({ author }) => countsAsActivity(author, { ...facts, activity: "anyone" }))) return true;
  const explainedMs = Math.max(sinceMs, ...later.map(({ updatedAt }) => Date.parse(updatedAt) + SLACK_MS));
  return Date.parse(issue.updatedAt) > explainedMs;
}

/** An issue's time of change may follow its comment's by a second. */
const SLACK_MS = 2_000;
