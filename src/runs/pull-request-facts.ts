/** One pull request linked to the issue, as last observed. */
export interface PullRequestFacts {
  number: number;
  url: string;
  state: "open" | "merged" | "closed";
  isDraft: boolean;
  checks: "none" | "pending" | "passing" | "failing";
  review: "none" | "review_required" | "approved" | "changes_requested";
  hasUnresolvedHumanComments: boolean;
  mergeability: "unknown" | "mergeable" | "conflicting";
  /** The commit it stands at; null when it was not asked for. */
  headSha: string | null;
  /** Tells one failure of the checks from the next, e.g. a digest of the failing log; null when nothing fails. */
  checksSignature: string | null;
  /** Tells one round of human review feedback from the next; null when there is none. */
  feedbackSignature: string | null;
  updatedAtMs: number;
}

/** O4: an open one before merged and closed ones, then the one updated last. */
export function selectDisplayPullRequest(pullRequests: readonly PullRequestFacts[]): PullRequestFacts | null {
  const rank = (pullRequest: PullRequestFacts): number => (pullRequest.state === "open" ? 0 : 1);
  const [first] = pullRequests.toSorted((a, b) => rank(a) - rank(b) || b.updatedAtMs - a.updatedAtMs);
  return first ?? null;
}
