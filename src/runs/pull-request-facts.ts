/** The last observed facts of a pull request that is linked to the issue. */
export interface PullRequestFacts {
  number: number;
  url: string;
  state: "open" | "merged" | "closed";
  isDraft: boolean;
  checks: "none" | "pending" | "passing" | "failing";
  review: "none" | "review_required" | "approved" | "changes_requested";
  hasUnresolvedHumanComments: boolean;
  mergeability: "unknown" | "mergeable" | "conflicting";
  /** The head commit; null when it was not queried. */
  headSha: string | null;
  /**
   * Distinguishes one failure of the checks from the next, e.g. a digest of the failing log; null when no check
   * fails.
   */
  checksSignature: string | null;
  /** Distinguishes one round of human review feedback from the next; null if there is no feedback. */
  feedbackSignature: string | null;
  updatedAtMs: number;
}

/**
 * Returns the pull request to display: open ones come before merged and closed ones, then the most recently updated one (O4); null:
 * there is none.
 */
export function selectDisplayPullRequest(pullRequests: readonly PullRequestFacts[]): PullRequestFacts | null {
  const rank = (pullRequest: PullRequestFacts): number => (pullRequest.state === "open" ? 0 : 1);
  const [first] = pullRequests.toSorted((a, b) => rank(a) - rank(b) || b.updatedAtMs - a.updatedAtMs);
  return first ?? null;
}
