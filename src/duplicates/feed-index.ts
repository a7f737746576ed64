import {
  type GithubReader,
  type Issue,
  redactSecretsIn,
  type RepositoryName,
  updatedIssuePages,
} from "../github/index.ts";
import type { IssueIndex } from "./issue-index.ts";
import type { IssueText } from "./issue-terms.ts";

/** How far one feed came. */
export interface FeedResult {
  /** `more`: the requests are spent; the next feed goes on at the cursor. */
  readonly type: "up-to-date" | "more";
  readonly requests: number;
  readonly indexed: number;
}

export interface FeedLimits {
  /** At least 1. */
  readonly maxRequests: number;
  /** Issues whose text may not be kept, such as reports of vulnerabilities; one that was indexed before is forgotten. */
  readonly isWithheld: (issue: Issue) => boolean;
  readonly signal: AbortSignal;
}

/**
 * D1: brings the index up to date with the repository, page by page in the order of updates, so that it can stop after any page.
 * Issues that were edited since are replaced. Tokens in a text are redacted (S18). The cursor is kept with each page; without news a feed is
 * one conditional request. Rejects with a `GithubErrorCode` or the signal's reason; pages before stay indexed.
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

/** The parts of an issue that the index takes. */
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
