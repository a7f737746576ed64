import type { RepositoryName } from "./port.ts";

/** Reads and creates labels, to set up a repository. No Triage Batch has this port or the AccessExaminer. */
export interface LabelRegistry {
  /** Returns the names of all labels of the repository, all pages. */
  names(repo: RepositoryName, signal: AbortSignal): Promise<string[]>;
  /** Creates a label. `exists`: there is a label of that name, whatever its colour; GitHub ignores case in label names. */
  create(repo: RepositoryName, label: NewLabel, signal: AbortSignal): Promise<"created" | "exists">;
}

export interface NewLabel {
  name: string;
  /** Six hexadecimal digits. */
  color: string;
  /** At most 100 characters. */
  description: string;
}

export interface AccessExaminer {
  /** Returns the facts about the credential. Rejects with a GithubErrorCode when GitHub does not accept it. */
  credential(signal: AbortSignal): Promise<CredentialFacts>;
  /**
   * Returns the repository's facts. Rejects with GITHUB_REPOSITORY_MISSING when the repository does not exist or cannot be read.
   */
  repository(repo: RepositoryName, signal: AbortSignal): Promise<RepositoryAccess>;
}

export interface CredentialFacts {
  kind: "app" | "classic" | "fine-grained" | "installation" | "unknown";
  login: string;
  /** The scopes of a classic token; null for other credentials. */
  scopes: string[] | null;
  /** The time in GitHub's format; null: GitHub returned none. */
  expiresAt: string | null;
  /** GitHub's clock, to the second; null when GitHub does not send it. */
  serverTimeMs: number | null;
}

export interface RepositoryAccess {
  isPrivate: boolean;
  isArchived: boolean;
  hasIssues: boolean;
  /** Whether the account may label and close; null when GitHub does not report it. */
  canTriage: boolean | null;
  mayReadContents: Permission;
  /**
   * Checked without side effects, by an attempt to create a label without a name. GitHub always refuses it; the status shows
   * whether the permission or the name is the reason.
   */
  mayWriteIssues: Permission;
}

export type Permission = "granted" | "refused" | "unknown";
