import type { Issue, IssueRef, RepositoryName } from "./port.ts";

/** GitHub's history of an issue: for backtests, which read and never write. */
export interface GithubHistory {
  /** One page of at most 100 closed issues, the newest first, pull requests marked. `page` counts from 1. */
  closedIssues(repo: RepositoryName, page: number, signal: AbortSignal): Promise<Issue[]>;
  /** The issue's text as it was filed; null where this GitHub keeps no edit history, or does not say. */
  originalBody(ref: IssueRef, signal: AbortSignal): Promise<string | null>;
  /** The commit by which a pull request was merged; null: it was not, or cannot be read. */
  mergeCommit(pull: IssueRef, signal: AbortSignal): Promise<string | null>;
}
