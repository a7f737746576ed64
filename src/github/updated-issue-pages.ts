import type { GithubReader, Issue, RepositoryName } from "./port.ts";

/** The most issues on a page of `GithubReader.updatedIssues`. */
const PAGE_ISSUES = 100;

export interface UpdatedPage {
  issues: Issue[];
  /** The last update on this page, where a later listing goes on; the time that was given when the page is empty. */
  upTo: string | null;
  isLast: boolean;
}

/**
 * Lists issues in the order of their last update, from `since` on (null: from the first), one request a page. A page is asked for
 * only when the one before was taken, so a caller may stop after any. The next page begins at the last update of this
 * one; when many updates share one second, the further pages of this second follow. Rejects as `updatedIssues` does.
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
