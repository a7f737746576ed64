import pLimit, { type LimitFunction } from "p-limit";
import type { RepositoryName } from "../../github/index.ts";

/**
 * Limits how many publications run at once. Waiting for a turn must not count towards the age of the last look or a request's
 * time limit. All batches of a process share the turns.
 */
export type PublicationTurns = <Result>(
  repo: RepositoryName,
  publication: () => Promise<Result>,
) => Promise<Result>;

/**
 * The maximum number of publications at once. GitHub asks for three seconds between comments and one second between other writes:
 * more publications would only wait for each other, longer than a request may take.
 */
const PUBLICATIONS = 3;

/** `accountOf` returns the account of ours to which GitHub counts the writes to a repository; each account has its own turns. */
export function createPublicationTurns(accountOf: (repo: RepositoryName) => string): PublicationTurns {
  const accounts = new Map<string, LimitFunction>();
  return (repo, publication) => {
    const account = accountOf(repo);
    const limit = accounts.get(account) ?? pLimit(PUBLICATIONS);
    accounts.set(account, limit);
    return limit(publication);
  };
}
