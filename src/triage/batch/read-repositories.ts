import { OperationalError } from "agent-tty/kit";
import { type GithubErrorCode, type Repository, type RepositoryName, whyClosed } from "../../github/index.ts";
import type { BatchPorts } from "./batch-context.ts";

/**
 * Returns the repositories of a batch, read from GitHub. Rejects with GITHUB_REPOSITORY_CLOSED if one of them does not accept
 * writes: its outcomes could not be published, but its Triage Agents would have to be paid for.
 */
export async function readRepositories(
  repos: readonly RepositoryName[],
  ports: Pick<BatchPorts, "reader">,
  signal: AbortSignal,
): Promise<Map<RepositoryName, Repository>> {
  const found = new Map<RepositoryName, Repository>();
  for (const repo of repos) {
    const repository = await ports.reader.repository(repo, signal);
    const closed = whyClosed(repo, repository);
    if (closed !== null)
      throw new OperationalError<GithubErrorCode>({
        code: "GITHUB_REPOSITORY_CLOSED",
        message: `could not triage the issues: ${closed.seen}`,
        remedy: `Run ${closed.remedy}, or leave the repository out.`,
      });
    found.set(repo, repository);
  }
  return found;
}
