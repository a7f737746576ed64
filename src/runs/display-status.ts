import { unreachable } from "./illegal-transition.ts";
import { type PullRequestFacts, selectDisplayPullRequest } from "./pull-request-facts.ts";
import type { TriageRunFacts } from "./triage-run-facts.ts";

/** The values of the Display Status, which is derived on each read and never stored (O3). */
export const displayStatuses = [
  "merged",
  "terminated",
  "needs_input",
  "ci_failed",
  "draft",
  "changes_requested",
  "mergeable",
  "approved",
  "review_pending",
  "pr_open",
  "working",
  "no_signal",
  "idle",
] as const;
export type DisplayStatus = (typeof displayStatuses)[number];

/** The time, in milliseconds, within which a Triage Agent that can signal should send its first signal. */
export const SPAWN_GRACE_MS = 90_000;

/** Returns the Display Status; the first rule that matches wins (O5–O10). */
export function deriveDisplayStatus(
  facts: Pick<TriageRunFacts, "activity">,
  pullRequests: readonly PullRequestFacts[],
  nowMs: number,
): DisplayStatus {
  const { activity } = facts;
  const pullRequest = selectDisplayPullRequest(pullRequests);
  if (activity.isTerminated) return pullRequest?.state === "merged" ? "merged" : "terminated";
  if (activity.state === "waiting_input") return "needs_input";
  if (pullRequest?.state === "merged") return "merged";
  if (pullRequest?.state === "open") return openPullRequestStatus(pullRequest);
  if (activity.state === "active") return "working";
  return hasMissedFirstSignal(facts, nowMs) ? "no_signal" : "idle";
}

/** Returns the status of a pull request independently of its run; null for a pull request that was closed without a merge. */
export function pullRequestStatus(pullRequest: PullRequestFacts): DisplayStatus | null {
  switch (pullRequest.state) {
    case "open":
      return openPullRequestStatus(pullRequest);
    case "merged":
      return "merged";
    case "closed":
      return null;
    default:
      return unreachable(pullRequest.state);
  }
}

function openPullRequestStatus(pullRequest: PullRequestFacts): DisplayStatus {
  if (pullRequest.checks === "failing") return "ci_failed";
  if (pullRequest.isDraft) return "draft";
  if (pullRequest.review === "changes_requested" || pullRequest.hasUnresolvedHumanComments)
    return "changes_requested";
  if (pullRequest.mergeability === "mergeable") return "mergeable";
  if (pullRequest.review === "approved") return "approved";
  if (pullRequest.review === "review_required") return "review_pending";
  return "pr_open";
}

/** Returns whether the first signal is overdue. Exactly SPAWN_GRACE_MS after the spawn it is not overdue yet. */
function hasMissedFirstSignal({ activity }: Pick<TriageRunFacts, "activity">, nowMs: number): boolean {
  if (!activity.isSignalCapable || activity.firstSignalAtMs !== null || activity.spawnedAtMs === null)
    return false;
  return nowMs - activity.spawnedAtMs > SPAWN_GRACE_MS;
}
