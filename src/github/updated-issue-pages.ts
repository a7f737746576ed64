import type { GithubReader, Issue, RepositoryName } from "./port.ts";

/** The maximum number of issues on a page of `GithubReader.updatedIssues`. */
const PAGE_ISSUES = 100;

export interface UpdatedPage {
  issues: Issue[];
  /**
   * The time of the last update on this page, from which a later listing continues; if the page is empty, the time that was asked
   * for.
   */
  upTo: string | null;
  isLast: boolean;
}

/**
 * Yields issues in the order of their last update, from `since` on (null: from the first), with one request per page. A page is
 * requested only after the caller has consumed the previous one, so the caller may stop after any page. The next page begins at the
 * last update of this page; if a whole page of updates has the same time, the further pages of that time follow. Rejects as
 * `updatedIssues` does.
 */
export async function* updatedIssuePages(
  reader: Pick<GithubReader, "updatedIssues">,
  repo: RepositoryName,
  since: string | null,
  signal: AbortSignal,
): AsyncGenerator<UpdatedPage, void> {
  for (let from = { since, page: 1 }; ;) {
    const issues = await reader.updatedIssues(repo, from, signal);
    const upTo = issues.at(-1)?.updatedAt ?? from.since;
    const isLast = issues.length < PAGE_ISSUES;
    yield { issues, upTo, isLast };
    if (isLast) return;
    from = { since: upTo, page: upTo === from.since ? from.page + 1 : 1 };
  }
}
