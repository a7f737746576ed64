import type { IssueRef, RepositoryName } from "../port.ts";

export const ISSUE = "/repos/{owner}/{repo}/issues/{issue_number}";

/** Returns the parameters of GitHub's REST API that name a repository. */
export function nameOf(repo: RepositoryName): { owner: string; repo: string } {
  const slash = repo.indexOf("/");
  return { owner: repo.slice(0, slash), repo: repo.slice(slash + 1) };
}

/** Returns the parameters of GitHub's REST API that name an issue. */
export function issueOf(ref: IssueRef): { owner: string; repo: string; issue_number: number } {
  return { ...nameOf(ref.repo), issue_number: ref.number };
}
