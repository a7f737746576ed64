/** A pull request that says it closes an issue, as far as GitHub's REST API tells. */
export interface LinkedPullRequest {
  number: number;
  url: string;
  state: "open" | "merged" | "closed";
  /** When it was merged or closed; null while it is open. */
  endedAt: string | null;
  updatedAt: string;
  isDraft: boolean;
  /** The commit it stands at; null when that was not asked for, as of one that is over. */
  headSha: string | null;
  /** `mergeable`: GitHub would merge it now. Rules that REST does not show, such as code owners, never make it so. */
  mergeability: "unknown" | "mergeable" | "conflicting";
  checks: CheckVerdict;
  review: ReviewVerdict;
  /** A person who is not its author has commented on the very commit it stands at. */
  hasUnresolvedHumanComments: boolean;
  /** Tells one failure of the checks from the next; null when nothing fails. */
  checksSignature: string | null;
  /** Tells one round of feedback from the next; null when there is none. */
  feedbackSignature: string | null;
}

export type CheckVerdict = "none" | "pending" | "passing" | "failing";
export type ReviewVerdict = "none" | "review_required" | "approved" | "changes_requested";

export type LinkedPullRequests =
  /** `unread`: linked, but what they are could not be read, or there are too many of them. */
  | { type: "found"; pullRequests: LinkedPullRequest[]; unread: number[] }
  /** No answer is possible: the issue does not exist, may not be read, or has too long a history. */
  | { type: "unknown"; reason: "transferred" | "not-found" | "deleted" | "forbidden" | "too-long" };

/** How many open pull requests of one issue are read; the ones updated last. */
export const MAX_OPEN_PULL_REQUESTS = 5;
/** How many that are over are told of; the ones that ended last. */
export const MAX_ENDED_PULL_REQUESTS = 20;

/** One that is over needs no more than its end: what it could be merged for matters no more. */
export function endedPullRequest(
  facts: Pick<LinkedPullRequest, "number" | "url" | "updatedAt"> & {
    mergedAt: string | null;
    closedAt: string | null;
  },
): LinkedPullRequest {
  const { number, url, updatedAt, mergedAt, closedAt } = facts;
  return {
    number,
    url,
    state: mergedAt === null ? "closed" : "merged",
    endedAt: mergedAt ?? closedAt ?? updatedAt,
    updatedAt,
    isDraft: false,
    headSha: null,
    mergeability: "unknown",
    checks: "none",
    review: "none",
    hasUnresolvedHumanComments: false,
    checksSignature: null,
    feedbackSignature: null,
  };
}
