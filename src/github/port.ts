import type { RepositoryPermission } from "./permission.ts";
import type { Person, TimelineFact } from "./timeline-fact.ts";
import type { LinkedPullRequests } from "./linked-pull-requests.ts";

/** The GitHub port in our verbs. Reading and writing are two ports: only the applier ever holds the writer. */
export interface GithubReader {
  /** The identity of the credential. Comments are trusted by this numeric id (S4). */
  viewer(signal: AbortSignal): Promise<Person>;
  /** Rejects with GITHUB_REPOSITORY_MISSING when it does not exist or cannot be read. */
  repository(repo: RepositoryName, signal: AbortSignal): Promise<Repository>;
  /** Open issues with one label, or with any when it is null; pull requests marked, oldest first, all pages. */
  listOpenIssues(repo: RepositoryName, label: string | null, signal: AbortSignal): Promise<Issue[]>;
  /**
   * One page of at most 100 issues, open and closed, pull requests marked, in the order of their last update; only those
   * updated at `since` or later. Fewer than 100: the last page. `page` counts from 1.
   */
  updatedIssues(
    repo: RepositoryName,
    from: { since: string | null; page: number },
    signal: AbortSignal,
  ): Promise<Issue[]>;
  issue(ref: IssueRef, signal: AbortSignal): Promise<IssueLookup>;
  /** All pages, ascending by id. */
  comments(ref: IssueRef, signal: AbortSignal): Promise<IssueComment[]>;
  /** Reactions to the issue's own text and to one of its comments, all pages. Rejects with GITHUB_ISSUE_GONE also when the comment is gone. */
  reactions(ref: IssueRef, commentId: number, signal: AbortSignal): Promise<Reaction[]>;
  /** When labels were put on and taken off, all pages, ascending. */
  labelEvents(ref: IssueRef, signal: AbortSignal): Promise<LabelEvent[]>;
  /** The issue's timeline, all pages, ascending. */
  timeline(ref: IssueRef, signal: AbortSignal): Promise<TimelineFact[]>;
  /**
   * Pull requests of the same repository that say they close the issue. `unknown` when the issue is gone or may not be
   * read; what breaks otherwise (the network, a rate limit) rejects.
   */
  linkedPullRequests(ref: IssueRef, signal: AbortSignal): Promise<LinkedPullRequests>;
  /** The permission of the account with this id, whatever its login is now; an account that took over the login has none. */
  permission(repo: RepositoryName, person: Person, signal: AbortSignal): Promise<RepositoryPermission>;
  /** Names of all labels of the repository. */
  labels(repo: RepositoryName, signal: AbortSignal): Promise<string[]>;
}

/** Writes never follow a redirect: it would touch another repository. Each is safe to repeat except publishComment. */
export interface GithubWriter {
  publishComment(ref: IssueRef, body: string, signal: AbortSignal): Promise<IssueComment>;
  /** At least one; the others of the issue stay. */
  addLabels(ref: IssueRef, labels: readonly string[], signal: AbortSignal): Promise<void>;
  /** A label that is already absent is done. */
  removeLabel(ref: IssueRef, label: string, signal: AbortSignal): Promise<void>;
  /** The issue as GitHub then has it; null when its answer does not tell. */
  closeIssue(ref: IssueRef, reason: CloseReason, signal: AbortSignal): Promise<Issue | null>;
  reopenIssue(ref: IssueRef, signal: AbortSignal): Promise<void>;
  /** A comment that is already deleted is done. */
  deleteComment(ref: IssueRef, commentId: number, signal: AbortSignal): Promise<void>;
}

export type { Person };

/** `owner/name` */
export type RepositoryName = `${string}/${string}`;

export interface IssueRef {
  repo: RepositoryName;
  number: number;
}

/** `owner/repo#n` */
export function issueKey(ref: IssueRef): string {
  return `${ref.repo}#${ref.number}`;
}

export interface Repository {
  /** GitHub's number for it, which a rename or a transfer does not change. */
  id: number;
  name: RepositoryName;
  /** The URL that git clones. */
  cloneUrl: string;
  defaultBranch: string;
  isPrivate: boolean;
  /** Whether the credential may label and close; null when GitHub does not say. */
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
  /** Title; null: none. */
  milestone: string | null;
}

export interface Reaction {
  /** The target: the issue's own text, or the comment that was asked about. */
  of: "issue" | "comment";
  /** Such as `-1` or `heart`. */
  content: string;
  /** null: the account was deleted. */
  author: Person | null;
  createdAt: string;
}

export type IssueLookup =
  | { type: "found"; issue: Issue }
  /** 301, 404 and 410: a typed skip, never an error. */
  | { type: "gone"; reason: "transferred" | "not-found" | "deleted" };

export interface IssueComment {
  id: number;
  body: string;
  author: Person | null;
  createdAt: string;
  updatedAt: string;
  url: string;
  /** Hidden by somebody who may write. */
  isMinimised?: boolean;
  /** GitHub calls its author an owner, member or collaborator. It does not say so of private members, and their permission is another question. */
  isAffiliated?: boolean;
}

export interface LabelEvent {
  label: string;
  action: "labeled" | "unlabeled";
  actor: Person | null;
  createdAt: string;
}

/** `duplicate` becomes `not_planned` where a GitHub does not know it. */
export type CloseReason = "not_planned" | "completed" | "duplicate";

export type GithubErrorCode =
  | "GITHUB_TOKEN_MISSING"
  | "GITHUB_TOKEN_REJECTED"
  | "GITHUB_APP_NOT_INSTALLED"
  | "GITHUB_FORBIDDEN"
  | "GITHUB_REPOSITORY_MISSING"
  /** A listing of, or a write to, an issue that moved, was deleted or cannot be read (any more). */
  | "GITHUB_ISSUE_GONE"
  /** The conversation is locked; without write access nobody can comment there. */
  | "GITHUB_ISSUE_LOCKED"
  | "GITHUB_UNREACHABLE"
  | "GITHUB_RATE_LIMITED"
  | "GITHUB_UNEXPECTED_ANSWER"
  | "GITHUB_WRITE_REFUSED";
