import type { RepositoryName } from "./port.ts";

/** Reads the repositories that a GitHub App may access. */
export interface InstallationReader {
  /** Returns all installations of the App. Rejects with a GithubErrorCode. */
  installations(signal: AbortSignal): Promise<ListedInstallations>;
  /** Returns the repositories that one installation covers. Rejects with a GithubErrorCode; a suspended installation is refused. */
  repositories(installationId: number, signal: AbortSignal): Promise<InstalledRepository[]>;
}

export interface ListedInstallations {
  installations: Installation[];
  /**
   * The time at which GitHub began to list them, by its own clock, in milliseconds since the Unix epoch; null: GitHub did not say.
   */
  atMs: number | null;
}

export interface Installation {
  id: number;
  isSuspended: boolean;
}

export interface InstalledRepository {
  id: number;
  name: RepositoryName;
  isArchived: boolean;
}
