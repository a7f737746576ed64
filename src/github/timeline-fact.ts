/** A GitHub account. */
export interface Person {
  id: number;
  login: string;
  isBot: boolean;
}

/** One event in an issue's timeline. */
export type TimelineFact = { at: string; actor: Person | null } & (
  | { type: "labeled" | "unlabeled"; label: string }
  /** `commit` is set when a commit closed it. */
  | { type: "closed"; commit: string | null }
  | { type: "reopened" | "commented" }
  /** GitHub does not say which comment was deleted. */
  | { type: "comment-deleted" }
  | { type: "renamed"; from: string; to: string }
  | { type: "marked-as-duplicate" | "unmarked-as-duplicate" }
  /** A merged pull request of the same repository that says it closes the issue. */
  | { type: "merged-fix"; pull: number }
);
