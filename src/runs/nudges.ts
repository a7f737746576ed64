import type { ActivityFacts } from "./activity.ts";
import type { PullRequestFacts } from "./pull-request-facts.ts";

/** O15: what a live run's Triage Agent is told about its pull request. */
export interface Nudge {
  kind: "checks-failing" | "review-feedback" | "merge-conflict";
  /** Of the pull request. */
  number: number;
  /** What makes this occurrence differ from the next; a nudge is sent once for each. */
  signature: string;
}

/** What became of one: `refusal` is the gate's reason, null when the Triage Agent was told. */
export interface NudgeRecord extends Nudge {
  refusal: string | null;
  /** When it was told, or first refused so; null where an older program did not note it. */
  atMs: number | null;
}

/** Pull requests of one run that are told apart; beyond it the oldest nudges are forgotten. */
const MAX_REMEMBERED = 300;

/**
 * What has not been said yet of the open pull requests, also what was refused before. Nothing for a run that is terminated: a merged pull request
 * ends it without a word.
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

/** Only the latest of a kind and pull request matters: what came before it is over. A repetition is no news. */
export function rememberNudge(
  known: readonly NudgeRecord[],
  { kind, number, signature, refusal, atMs }: NudgeRecord,
): readonly NudgeRecord[] {
  const nudge = { kind, number, signature, refusal, atMs };
  if (known.some((told) => isSame(told, nudge) && told.refusal === refusal)) return known;
  const others = known.filter((told) => told.kind !== kind || told.number !== number);
  return [...others, nudge].slice(-MAX_REMEMBERED);
}

/** Words of ours alone: no text of a pull request, a check or a review is ever typed at a Triage Agent. */
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
