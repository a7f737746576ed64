import type { Clock } from "agent-tty/kit";
import type { InstallationReader, RepositoryName } from "../../github/index.ts";
import type { FollowedRepositories } from "../repositories/index.ts";

/** A repository by its id and its current name. */
export interface NamedRepository {
  id: number;
  name: RepositoryName;
}

/**
 * Follows exactly these repositories, whatever the installations of a GitHub App cover. All workers of a fleet are given the same.
 */
export async function followListed(
  repositories: FollowedRepositories,
  listed: readonly NamedRepository[],
  { nowMs: atMs }: { nowMs: number },
): Promise<void> {
  const wanted = new Set(listed.map(({ id }) => id));
  for (const { id: repositoryId, name } of listed) {
    await repositories.apply({ type: "follow", repositoryId, name, installationId: null, atMs });
    await repositories.apply({ type: "rename", repositoryId, name, atMs });
  }
  for (const { id: repositoryId, name } of await repositories.followed())
    if (!wanted.has(repositoryId)) await repositories.apply({ type: "leave", repositoryId, name, atMs });
}

/**
 * Follows the repositories of all installations of a GitHub App as GitHub lists them now: webhooks of installations may have been
 * missed, too. A change that is reported during this call has a later time, and wins. Rejects with a GithubErrorCode.
 */
export async function followInstallations(
  repositories: FollowedRepositories,
  reader: InstallationReader,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const askedMs = clock.nowMs();
  const { installations, atMs: githubMs } = await reader.installations(signal);
  // The time is GitHub's, like the times of its deliveries. They are in whole seconds, and a change in the same second wins.
  const atMs = (githubMs ?? askedMs) - 1;
  const covered = new Set<number>();
  for (const { id: installationId, isSuspended } of installations) {
    const state = isSuspended ? "suspended" : "active";
    await repositories.apply({ type: "installation", installationId, state, atMs });
    if (isSuspended) continue;
    for (const { id: repositoryId, name, isArchived } of await reader.repositories(installationId, signal)) {
      if (isArchived) continue;
      covered.add(repositoryId);
      await repositories.apply({ type: "follow", repositoryId, name, installationId, atMs });
      await repositories.apply({ type: "rename", repositoryId, name, atMs });
    }
  }
  const present = new Set(installations.map(({ id }) => id));
  for (const { id: repositoryId, name, installationId } of await repositories.all()) {
    if (installationId === null || covered.has(repositoryId)) continue;
    await repositories.apply({ type: "leave", repositoryId, name, atMs });
    // The time is not `FINAL_MS`, because the installation may be missing only because it is new, or because GitHub's pages shifted
    // while they were read.
    if (!present.has(installationId))
      await repositories.apply({ type: "installation", installationId, state: "deleted", atMs });
  }
}
