import type { RepositoryPermission } from "./permission.ts";
import type { Person, TimelineFact } from "./timeline-fact.ts";
import type { LinkedPullRequests } from "./linked-pull-requests.ts";

/** The GitHub port for reading. Reading and writing are separate ports: only the applier ever holds the writer. */
export interface GithubReader {
  /** Returns the identity of the credential. Comments are trusted by this numeric id (S4). */
  viewer(signal: AbortSignal): Promise<Person>;
  /** Returns a repository. Rejects with GITHUB_REPOSITORY_MISSING when it does not exist or cannot be read. */
  repository(repo: RepositoryName, signal: AbortSignal): Promise<Repository>;
  /** Returns open issues with the label, or all open issues when it is null; pull requests marked, oldest first, all pages. */
  listOpenIssues(repo: RepositoryName, label: string | null, signal: AbortSignal): Promise<Issue[]>;
  /**
   * Returns one page of at most 100 issues, open and closed, pull requests marked, in the order of their last update; only issues
   * updated at `since` or later. A page with fewer than 100 issues is the last. `page` counts from 1.
   */
  updatedIssues(
    repo: RepositoryName,
    from: { since: string | null; page: number },
    signal: AbortSignal,
  ): Promise<Issue[]>;
  issue(ref: IssueRef, signal: AbortSignal): Promise<IssueLookup>;
  /** Returns the issue's comments, all pages, ascending by id. */
  comments(ref: IssueRef, signal: AbortSignal): Promise<IssueComment[]>;
  /**
   * Returns reactions to the issue's own text and to one of its comments, all pages. Rejects with GITHUB_ISSUE_GONE when the issue
   * or the comment is gone.
   */
  reactions(ref: IssueRef, commentId: number, signal: AbortSignal): Promise<Reaction[]>;
  /** Returns the events that added or removed labels, all pages, ascending. */
  labelEvents(ref: IssueRef, signal: AbortSignal): Promise<LabelEvent[]>;
  /** Returns the issue's timeline, all pages, ascending. */
  timeline(ref: IssueRef, signal: AbortSignal): Promise<TimelineFact[]>;
  /**
   * Returns pull requests of the same repository that say they close the issue. `unknown` when the issue is gone or may not be
   * read; other failures (the network, a rate limit) reject.
   */
  linkedPullRequests(ref: IssueRef, signal: AbortSignal): Promise<LinkedPullRequests>;
  /** Returns the permission of the account with this id. If another account has taken over the login, the permission is `none`. */
  permission(repo: RepositoryName, person: Person, signal: AbortSignal): Promise<RepositoryPermission>;
  /** Returns the names of all labels of the repository. */
  labels(repo: RepositoryName, signal: AbortSignal): Promise<string[]>;
}

/**
 * The GitHub port for writing. Writes never follow a redirect: it would touch another repository. Every write except publishComment
 * is safe to repeat.
 */
export interface GithubWriter {
  publishComment(ref: IssueRef, body: string, signal: AbortSignal): Promise<IssueComment>;
  /** Adds at least one label; the issue's other labels stay. */
  addLabels(ref: IssueRef, labels: readonly string[], signal: AbortSignal): Promise<void>;
  /** Removes a label. Removing an absent label succeeds. */
  removeLabel(ref: IssueRef, label: string, signal: AbortSignal): Promise<void>;
  /** Returns the issue as GitHub's answer shows it; null when the answer does not contain it. */
  closeIssue(ref: IssueRef, reason: CloseReason, signal: AbortSignal): Promise<Issue | null>;
  reopenIssue(ref: IssueRef, signal: AbortSignal): Promise<void>;
  /** Deletes a comment. Deleting a comment that is already deleted succeeds. */
  deleteComment(ref: IssueRef, commentId: number, signal: AbortSignal): Promise<void>;
}

export type { Person };

/** The name of a repository, `owner/name`. */
export type RepositoryName = `${string}/${string}`;

export interface IssueRef {
  repo: RepositoryName;
  number: number;
}

/** Returns the key of an issue, `owner/repo#n`. */
export function issueKey(ref: IssueRef): string {
  return `${ref.repo}#${ref.number}`;
}

export interface Repository {
  /** GitHub's id, which a rename or a transfer does not change. */
  id: number;
  name: RepositoryName;
  /** The URL that git clones. */
  cloneUrl: string;
  defaultBranch: string;
  isPrivate: boolean;
  isArchived: boolean;
  hasIssues: boolean;
  /** Whether the credential may label and close; null when GitHub does not report it. */
  canTriage: boolean | null;
}

export interface Issue {
  ref: IssueRef;
  title: string;
  body: string;
  state: "open" | "closed";
  stateReason: string | null;
  locked: boolean;
  labels: string[];
  /** null: the account was deleted. */
  author: Person | null;
  createdAt: string;
  updatedAt: string;
  isPullRequest: boolean;
  url: string;
  commentCount: number;
  /** The number of reactions of every kind to the issue's own text. */
  reactionCount: number;
  /** The milestone's title; null: none. */
  milestone: string | null;
}

export interface Reaction {
  /** The target: the issue's own text, or the requested comment. */
  of: "issue" | "comment";
  /** Such as `-1` or `heart`. */
  content: string;
  /** null: the account was deleted. */
  author: Person | null;
  createdAt: string;
}

export type IssueLookup =
  | { type: "found"; issue: Issue }
  /** GitHub answered 301, 404 or 410. The issue is skipped with this reason; this is not an error. */
  | { type: "gone"; reason: "transferred" | "not-found" | "deleted" };

export interface IssueComment {
  id: number;
  body: string;
  author: Person | null;
  createdAt: string;
  updatedAt: string;
  url: string;
  /** Whether a person with write access has hidden it. */
  isMinimised?: boolean;
  /**
   * Whether GitHub calls its author an owner, member or collaborator. GitHub does not call private members so, and their permission
   * is a separate fact.
   */
  isAffiliated?: boolean;
}

export interface LabelEvent {
  label: string;
  action: "labeled" | "unlabeled";
  actor: Person | null;
  createdAt: string;
}

/** The reason of a close. `duplicate` becomes `not_planned` on a GitHub server that does not support it. */
export type CloseReason = "not_planned" | "completed" | "duplicate";

export type GithubErrorCode =
  | "GITHUB_TOKEN_MISSING"
  | "GITHUB_TOKEN_REJECTED"
  | "GITHUB_APP_NOT_INSTALLED"
  | "GITHUB_FORBIDDEN"
  | "GITHUB_REPOSITORY_MISSING"
  /** The repository is archived, or its issues are turned off. */
  | "GITHUB_REPOSITORY_CLOSED"
  /** A listing of, or a write to, an issue that was transferred, deleted, or is not readable (any more). */
  | "GITHUB_ISSUE_GONE"
  /** The conversation is locked, so only accounts with write access can comment. */
  | "GITHUB_ISSUE_LOCKED"
  | "GITHUB_UNREACHABLE"
  | "GITHUB_RATE_LIMITED"
  | "GITHUB_UNEXPECTED_ANSWER"
  | "GITHUB_WRITE_REFUSED";
