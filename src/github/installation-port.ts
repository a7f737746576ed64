import type { RepositoryName } from "./port.ts";

/** The repositories that a GitHub App may work for. */
export interface InstallationReader {
  /** All installations of the App. Rejects with a GithubErrorCode. */
  installations(signal: AbortSignal): Promise<Installation[]>;
  /** The repositories that one installation covers. Rejects with a GithubErrorCode; a suspended installation is refused. */
  repositories(installationId: number, signal: AbortSignal): Promise<InstalledRepository[]>;
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
