import {
  type GithubReader,
  type Issue,
  redactSecretsIn,
  type RepositoryName,
  updatedIssuePages,
} from "../github/index.ts";
import type { IssueIndex } from "./issue-index.ts";
import type { IssueText } from "./issue-terms.ts";

export interface FeedResult {
  /** `more`: the requests are used up; the next feed continues at the cursor. */
  readonly type: "up-to-date" | "more";
  readonly requests: number;
  readonly indexed: number;
}

export interface FeedLimits {
  /** The maximum number of requests of one feed, at least 1. */
  readonly maxRequests: number;
  /**
   * Returns whether an issue's text may not be kept, for example a vulnerability report. Such an issue is removed from the index.
   */
  readonly isWithheld: (issue: Issue) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Updates the index from the repository (D1), page by page in the order of updates, so that it can stop after any page. Issues
 * that were edited in the meantime are replaced. Tokens in a text are redacted (S18). The cursor is stored with each page; if
 * nothing has changed, a feed is one conditional request. Rejects with a `GithubErrorCode` or the signal's reason; earlier pages
 * stay indexed.
 */
export async function feedIndex(
  index: IssueIndex,
  repo: RepositoryName,
  reader: Pick<GithubReader, "updatedIssues">,
  { maxRequests, isWithheld, signal }: FeedLimits,
): Promise<FeedResult> {
  let [requests, indexed] = [0, 0];
  for await (const { issues, upTo, isLast } of updatedIssuePages(reader, repo, index.cursor(), signal)) {
    requests += 1;
    const texts: IssueText[] = [];
    for (const issue of issues.filter(({ isPullRequest }) => !isPullRequest)) {
      if (isWithheld(issue)) index.remove(issue.ref.number);
      else texts.push(redactSecretsIn(issueText(issue)));
    }
    index.put(texts, upTo ?? undefined);
    indexed += texts.length;
    if (isLast) break;
    if (requests === maxRequests) return { type: "more", requests, indexed };
  }
  return { type: "up-to-date", requests, indexed };
}

/** Returns the parts of an issue that the index stores. */
export function issueText({ ref, title, body, createdAt, state, author }: Issue): IssueText {
  return {
    number: ref.number,
    title,
    body,
    createdMs: Date.parse(createdAt),
    state,
    reporter: author?.id ?? null,
  };
}
