import type { Issue, IssueRef, RepositoryName } from "./port.ts";

/** The text with which an issue was filed, and the time of its first edit (ISO 8601); null: never edited. */
export interface OriginalBody {
  text: string;
  firstEditAt: string | null;
}

/** GitHub's history of an issue: for backtests, which read and never write. */
export interface GithubHistory {
  /** Returns one page of at most 100 closed issues, the newest first, pull requests marked. `page` counts from 1. */
  closedIssues(repo: RepositoryName, page: number, signal: AbortSignal): Promise<Issue[]>;
  /** Returns the issue's text as it was filed; null if GitHub keeps no edit history, or does not return it. */
  originalBody(ref: IssueRef, signal: AbortSignal): Promise<OriginalBody | null>;
  /** Returns the merge commit of a pull request; null: it was not merged, or cannot be read. */
  mergeCommit(pull: IssueRef, signal: AbortSignal): Promise<string | null>;
}
