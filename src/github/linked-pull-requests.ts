/** A pull request that says it closes an issue, with the facts that GitHub's REST API returns. */
export interface LinkedPullRequest {
  number: number;
  url: string;
  state: "open" | "merged" | "closed";
  /** The time at which it was merged or closed; null while it is open. */
  endedAt: string | null;
  updatedAt: string;
  isDraft: boolean;
  /** Its head commit; null when it was not read, as for a pull request that is merged or closed. */
  headSha: string | null;
  /**
   * The value `mergeable` means that GitHub would merge it now. Rules that REST does not show, such as code owners, are never
   * assumed to be met.
   */
  mergeability: "unknown" | "mergeable" | "conflicting";
  checks: CheckVerdict;
  review: ReviewVerdict;
  /** Whether a person other than its author has commented on its head commit. */
  hasUnresolvedHumanComments: boolean;
  /** Distinguishes one failure of the checks from the next; null when no check fails. */
  checksSignature: string | null;
  /** Identifies a round of feedback; null if there is none. */
  feedbackSignature: string | null;
}

export type CheckVerdict = "none" | "pending" | "passing" | "failing";
export type ReviewVerdict = "none" | "review_required" | "approved" | "changes_requested";

export type LinkedPullRequests =
  /** `unread`: pull requests that are linked but could not be read, or exceed the limit. */
  | { type: "found"; pullRequests: LinkedPullRequest[]; unread: number[] }
  /** No answer is possible: the issue does not exist, may not be read, or has too long a history. */
  | { type: "unknown"; reason: "transferred" | "not-found" | "deleted" | "forbidden" | "too-long" };

/** The maximum number of open pull requests of an issue that are read: the most recently updated ones. */
export const MAX_OPEN_PULL_REQUESTS = 5;
/** The maximum number of merged and closed pull requests of an issue that are returned: the ones that ended last. */
export const MAX_ENDED_PULL_REQUESTS = 20;

/** Returns the facts of a merged or closed pull request. Its checks, reviews and mergeability no longer matter. */
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
