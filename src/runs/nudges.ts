import type { ActivityFacts } from "./activity.ts";
import type { PullRequestFacts } from "./pull-request-facts.ts";

/** A message to a live run's Triage Agent about its pull request (O15). */
export interface Nudge {
  kind: "checks-failing" | "review-feedback" | "merge-conflict";
  /** The number of the pull request. */
  number: number;
  /** Distinguishes this occurrence from the next. Each occurrence is sent once. */
  signature: string;
}

/** A nudge with its result: `refusal` is the gate's reason, or null when it was sent. */
export interface NudgeRecord extends Nudge {
  refusal: string | null;
  /** The time at which it was sent, or first refused for this reason; null if an older version did not record it. */
  atMs: number | null;
}

/** The largest number of nudges that one run remembers; the oldest are forgotten first. */
const MAX_REMEMBERED = 300;

/**
 * Returns the nudges for open pull requests that were not sent yet, including refused ones. Returns none for a terminated run: a
 * merged pull request ends the run without a nudge.
 */
export function planNudges(facts: {
  activity: Pick<ActivityFacts, "isTerminated">;
  pullRequests: readonly PullRequestFacts[];
  nudges: readonly NudgeRecord[];
}): Nudge[] {
  if (facts.activity.isTerminated) return [];
  return facts.pullRequests
    .filter(({ state }) => state === "open")
    .flatMap(occurrences)
    .filter((nudge) => !facts.nudges.some((told) => told.refusal === null && isSame(told, nudge)));
}

/**
 * Returns the records with this one, which replaces the record of the same kind and pull request. It is the same list when nothing
 * changes.
 */
export function rememberNudge(
  known: readonly NudgeRecord[],
  { kind, number, signature, refusal, atMs }: NudgeRecord,
): readonly NudgeRecord[] {
  const nudge = { kind, number, signature, refusal, atMs };
  if (known.some((told) => isSame(told, nudge) && told.refusal === refusal)) return known;
  const others = known.filter((told) => told.kind !== kind || told.number !== number);
  return [...others, nudge].slice(-MAX_REMEMBERED);
}

/**
 * Returns the nudge's text, which is fixed: no text of a pull request, a check or a review is ever typed into a Triage Agent.
 */
export function nudgeText({ kind, number }: Nudge): string {
  switch (kind) {
    case "checks-failing":
      return `The checks of your pull request #${number} fail. Look at their logs, fix the cause and push.`;
    case "review-feedback":
      return `Your pull request #${number} has review feedback. Read the comments, address them and push.`;
    case "merge-conflict":
      return `Your pull request #${number} conflicts with its base branch. Merge the base branch, resolve the conflicts and push.`;
    default:
      return kind satisfies never;
  }
}

function occurrences(pullRequest: PullRequestFacts): Nudge[] {
  const { number, checksSignature, feedbackSignature, headSha } = pullRequest;
  const nudges: Nudge[] = [];
  if (pullRequest.checks === "failing")
    nudges.push({ kind: "checks-failing", number, signature: checksSignature ?? headSha ?? "" });
  if (pullRequest.review === "changes_requested" || pullRequest.hasUnresolvedHumanComments)
    nudges.push({ kind: "review-feedback", number, signature: feedbackSignature ?? headSha ?? "" });
  if (pullRequest.mergeability === "conflicting")
    nudges.push({ kind: "merge-conflict", number, signature: headSha ?? "" });
  return nudges;
}

function isSame(a: Nudge, b: Nudge): boolean {
  return a.kind === b.kind && a.number === b.number && a.signature === b.signature;
}
