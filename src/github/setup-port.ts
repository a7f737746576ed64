import type { RepositoryName } from "./port.ts";

/** The questions to GitHub for setting up a repository and examining its access. No Triage Batch has these two ports. */
export interface LabelRegistry {
  /** Names of all labels of the repository, all pages. */
  names(repo: RepositoryName, signal: AbortSignal): Promise<string[]>;
  /** `exists`: there is one of that name, whatever its colour; GitHub does not tell capitals apart. */
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
  /** Rejects with a GithubErrorCode when GitHub does not take the credential. */
  credential(signal: AbortSignal): Promise<CredentialFacts>;
  /** Rejects with GITHUB_REPOSITORY_MISSING when it does not exist or cannot be read. */
  repository(repo: RepositoryName, signal: AbortSignal): Promise<RepositoryAccess>;
}

export interface CredentialFacts {
  kind: "app" | "classic" | "fine-grained" | "installation" | "unknown";
  login: string;
  /** Classic tokens only. */
  scopes: string[] | null;
  /** The time in GitHub's format; null: GitHub returned none. */
  expiresAt: string | null;
  /** GitHub's clock, to the second; null when it does not say. */
  serverTimeMs: number | null;
}

export interface RepositoryAccess {
  isPrivate: boolean;
  isArchived: boolean;
  hasIssues: boolean;
  /** Whether the account may label and close; null when GitHub does not say. */
  canTriage: boolean | null;
  mayReadContents: Permission;
  /** Asked without an effect: by creating a label that has no name, which GitHub refuses to everybody for one of two reasons. */
  mayWriteIssues: Permission;
}

export type Permission = "granted" | "refused" | "unknown";
