import type { GithubReader, RepositoryName } from "../github/index.ts";
import type { IssueIndex } from "./issue-index.ts";
import type { DuplicateCandidate } from "./offer-candidates.ts";

/** The number of extra candidates taken from the index, because some may be gone from GitHub. */
export const SPARE_CANDIDATES = 3;

export interface PresentRequest {
  readonly index: IssueIndex;
  readonly repo: RepositoryName;
  readonly reader: Pick<GithubReader, "issue">;
  /** The maximum number of candidates to return. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * Returns at most `limit` candidates with their current title and state on GitHub, with one request per candidate (D2). Issues
 * that were deleted or moved since they were indexed are removed from the index. Rejects with a `GithubErrorCode` or the signal's
 * reason.
 */
export async function presentCandidates(
  candidates: readonly DuplicateCandidate[],
  { index, repo, reader, limit, signal }: PresentRequest,
): Promise<DuplicateCandidate[]> {
  const present: DuplicateCandidate[] = [];
  for (const candidate of candidates) {
    if (present.length >= limit) break;
    const { number } = candidate;
    const found = await reader.issue({ repo, number }, signal);
    if (found.type === "gone" || found.issue.isPullRequest) {
      index.remove(number);
      continue;
    }
    const { title, state, author } = found.issue;
    present.push({ ...candidate, title, state, reporter: author?.id ?? null });
  }
  return present;
}
