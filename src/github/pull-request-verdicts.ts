import type { CheckVerdict, LinkedPullRequest, ReviewVerdict } from "./linked-pull-requests.ts";
import type { Person } from "./port.ts";

/** The result of one check of a commit: a check run or a commit status. */
export type CheckResult = "pending" | "passing" | "failing";

export interface Review {
  id: number;
  /** null: the account was deleted. */
  author: Person | null;
  verdict: "approved" | "changes_requested" | "commented" | "dismissed";
  commitSha: string | null;
  /** Whether the reviewer may write to the repository, as far as GitHub reports it: only then does a review decide. */
  decides: boolean;
}

/** The facts of a pull request itself, without checks and reviews. */
export interface PullRequestPage {
  authorId: number | null;
  headSha: string;
  hasRequestedReviewers: boolean;
  /** GitHub's `mergeable`; null while GitHub computes it. */
  canMerge: boolean | null;
  /** GitHub's `mergeable_state`. */
  mergeState: string;
}

export type Verdicts = Pick<
  LinkedPullRequest,
  | "mergeability"
  | "checks"
  | "review"
  | "hasUnresolvedHumanComments"
  | "checksSignature"
  | "feedbackSignature"
>;

/** Returns the verdicts about a pull request. Pure. `reviews` are ascending by id, as GitHub lists them. */
export function judgePullRequest(
  page: PullRequestPage,
  reviews: readonly Review[],
  results: readonly CheckResult[],
): Verdicts {
  const checks = judgeChecks(results);
  const human = reviews.filter(({ author }) => author?.isBot !== true && author?.id !== page.authorId);
  const latest = latestDecisions(human);
  const unresolved = unresolvedComments(human, page.headSha);
  const objections = [...latest.filter(({ verdict }) => verdict === "changes_requested"), ...unresolved];
  const newest = Math.max(...objections.map(({ id }) => id));
  return {
    mergeability: judgeMergeability(page),
    checks,
    review: judgeReviews(page, latest, checks),
    hasUnresolvedHumanComments: unresolved.length > 0,
    // A failure ends with the next commit: a check that is run again on the same commit and fails again is not a new failure.
    checksSignature: checks === "failing" ? page.headSha : null,
    feedbackSignature: objections.length > 0 ? `review-${newest}` : null,
  };
}

function judgeChecks(results: readonly CheckResult[]): CheckVerdict {
  if (results.length === 0) return "none";
  if (results.includes("failing")) return "failing";
  return results.includes("pending") ? "pending" : "passing";
}

/**
 * Returns whether GitHub would merge the pull request. Only `clean` means that nothing prevents the merge; `has_hooks` means the
 * same on an Enterprise Server.
 */
function judgeMergeability({ canMerge, mergeState }: PullRequestPage): LinkedPullRequest["mergeability"] {
  if (canMerge === false && mergeState === "dirty") return "conflicting";
  return canMerge === true && ["clean", "has_hooks"].includes(mergeState) ? "mergeable" : "unknown";
}

/**
 * Returns each person's latest decision. A comment does not withdraw a decision; a dismissal or a later decision of the same
 * person does.
 */
function latestDecisions(reviews: readonly Review[]): Review[] {
  const latest = new Map<number, Review>();
  for (const review of reviews) {
    if (review.author !== null && review.decides && review.verdict !== "commented")
      latest.set(review.author.id, review);
  }
  return [...latest.values()];
}

function judgeReviews(page: PullRequestPage, latest: readonly Review[], checks: CheckVerdict): ReviewVerdict {
  if (latest.some(({ verdict }) => verdict === "changes_requested")) return "changes_requested";
  const isApproved = latest.some(({ verdict }) => verdict === "approved");
  // If the merge is blocked although no check fails or is pending, another person's approval is missing, e.g. a code owner's.
  const misses = page.mergeState === "blocked" && (checks === "passing" || checks === "none");
  if (isApproved && !misses) return "approved";
  return misses || page.hasRequestedReviewers ? "review_required" : "none";
}

/**
 * Returns the unresolved reviews. REST does not report which threads are resolved: feedback on an earlier commit counts as
 * answered by the later push; feedback on the current commit is unresolved until the same person approves.
 */
function unresolvedComments(reviews: readonly Review[], headSha: string): Review[] {
  return reviews.filter((review, index) => {
    const isFeedback = review.verdict === "commented" || review.verdict === "changes_requested";
    const settles = (later: Review): boolean =>
      later.author?.id === review.author?.id && later.verdict === "approved";
    return isFeedback && review.commitSha === headSha && !reviews.slice(index + 1).some(settles);
  });
}
