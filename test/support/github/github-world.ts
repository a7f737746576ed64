import type {
  GithubReader,
  GithubWriter,
  IssueComment,
  IssueRef,
  LabelRegistry,
  RepositoryName,
} from "../../../src/github/index.ts";

/**
 * One repository and the people around it, for tests. The fake and the emulated GitHub both implement it, so that a test can use
 * either. The verbs are the actions of *other* people; the credential under test acts through reader and writer.
 */
export interface GithubWorld extends PullRequestVerbs {
  readonly repo: RepositoryName;
  /** The login the reader and writer act as. */
  readonly viewerLogin: string;
  readonly reader: GithubReader;
  readonly writer: GithubWriter;
  readonly labelRegistry: LabelRegistry;
  createIssue(issue: NewIssue): Promise<IssueRef>;
  comment(ref: IssueRef, by: string, body: string): Promise<IssueComment>;
  editComment(ref: IssueRef, by: string, commentId: number, body: string): Promise<void>;
  editIssue(ref: IssueRef, by: string, change: { title?: string; body?: string }): Promise<void>;
  setState(ref: IssueRef, by: string, state: "open" | "closed"): Promise<void>;
  label(ref: IssueRef, by: string, label: string): Promise<void>;
  unlabel(ref: IssueRef, by: string, label: string): Promise<void>;
  lock(ref: IssueRef, by: string): Promise<void>;
}

/** Actions of people on pull requests. `by` of a review is a person who may write to the repository. */
export interface PullRequestVerbs {
  openPullRequest(request: NewPullRequest): Promise<IssueRef>;
  review(pull: IssueRef, by: string, verdict: "approve" | "request-changes" | "comment"): Promise<void>;
  /** Sets a check run on its commit; a later result of the same name replaces it. */
  check(pull: IssueRef, name: string, result: "pending" | "passing" | "failing"): Promise<void>;
  /** Sets a commit status, the older way to report on a commit. */
  setStatus(pull: IssueRef, result: "pending" | "passing" | "failing"): Promise<void>;
  setConflict(pull: IssueRef, hasConflict: boolean): Promise<void>;
  merge(pull: IssueRef): Promise<void>;
  closePullRequest(pull: IssueRef): Promise<void>;
}

export interface NewPullRequest {
  /** Its description: `Closes #7` links it. */
  body: string;
  isDraft?: boolean;
}

export interface NewIssue {
  title: string;
  body?: string;
  labels?: readonly string[];
  /** Only in the emulated GitHub: another of its repositories. */
  repo?: RepositoryName;
  /** Default `reporter`. */
  by?: string;
}

/** The people in every world: the credential, a reporter, a maintainer and a stranger. */
export const worldPeople = {
  viewer: "triage-bot",
  reporter: "reporter",
  maintainer: "maintainer",
  stranger: "stranger",
} as const;

/** The initial labels of the repository in every world. */
export const worldLabels = [
  "bug",
  "enhancement",
  "needs-triage",
  "needs-info",
  "ready-for-agent",
  "ready-for-human",
  "wontfix",
] as const;
