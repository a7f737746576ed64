import type { Issue, IssueRef, RepositoryName } from "./port.ts";

/** The text that an issue was filed with, and when it was edited first (ISO 8601); null: never. */
export interface OriginalBody {
  text: string;
  firstEditAt: string | null;
}

/** GitHub's history of an issue: for backtests, which read and never write. */
export interface GithubHistory {
  /** One page of at most 100 closed issues, the newest first, pull requests marked. `page` counts from 1. */
  closedIssues(repo: RepositoryName, page: number, signal: AbortSignal): Promise<Issue[]>;
  /** The issue's text as it was filed; null where this GitHub keeps no edit history, or does not say. */
  originalBody(ref: IssueRef, signal: AbortSignal): Promise<OriginalBody | null>;
  /** The commit by which a pull request was merged; null: it was not, or cannot be read. */
  mergeCommit(pull: IssueRef, signal: AbortSignal): Promise<string | null>;
}
