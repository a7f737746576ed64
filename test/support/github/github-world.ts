import type {
  GithubReader,
  GithubWriter,
  IssueComment,
  IssueRef,
  RepositoryName,
} from "../../../src/github/index.ts";

/**
 * One repository and the people around it, for tests: the fake and the emulated GitHub both are one, so that a journey
 * runs on either. The people's verbs are what *others* do; the credential under test acts through reader and writer.
 */
export interface GithubWorld {
  readonly repo: RepositoryName;
  /** The login the reader and writer act as. */
  readonly viewerLogin: string;
  readonly reader: GithubReader;
  readonly writer: GithubWriter;
  createIssue(issue: NewIssue): Promise<IssueRef>;
  comment(ref: IssueRef, by: string, body: string): Promise<IssueComment>;
  editComment(ref: IssueRef, by: string, commentId: number, body: string): Promise<void>;
  editIssue(ref: IssueRef, by: string, change: { title?: string; body?: string }): Promise<void>;
  setState(ref: IssueRef, by: string, state: "open" | "closed"): Promise<void>;
  label(ref: IssueRef, by: string, label: string): Promise<void>;
  unlabel(ref: IssueRef, by: string, label: string): Promise<void>;
  lock(ref: IssueRef, by: string): Promise<void>;
}

export interface NewIssue {
  title: string;
  body?: string;
  labels?: readonly string[];
  /** Default `reporter`. */
  by?: string;
}

/** People every world knows: the credential, a reporter, a maintainer and a stranger. */
export const worldPeople = {
  viewer: "triage-bot",
  reporter: "reporter",
  maintainer: "maintainer",
  stranger: "stranger",
} as const;

/** Labels the repository of every world starts with. */
export const worldLabels = [
  "bug",
  "enhancement",
  "needs-triage",
  "needs-info",
  "ready-for-agent",
  "ready-for-human",
  "wontfix",
] as const;
