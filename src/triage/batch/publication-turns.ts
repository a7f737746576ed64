import pLimit, { type LimitFunction } from "p-limit";
import type { RepositoryName } from "../../github/index.ts";

/**
 * Publications take their turns: waiting for one must be no part of the last look, nor of a request's time limit. All batches of
 * a process share them.
 */
export type PublicationTurns = <Result>(
  repo: RepositoryName,
  publication: () => Promise<Result>,
) => Promise<Result>;

/**
 * GitHub asks for three seconds between comments and one between other writes: more at once would only wait for each other,
 * longer than a request may take.
 */
const PUBLICATIONS = 3;

/** `accountOf`: for which account of ours GitHub counts what is written to a repository; each has turns of its own. */
export function createPublicationTurns(accountOf: (repo: RepositoryName) => string): PublicationTurns {
  const accounts = new Map<string, LimitFunction>();
  return (repo, publication) => {
    const account = accountOf(repo);
    const limit = accounts.get(account) ?? pLimit(PUBLICATIONS);
    accounts.set(account, limit);
    return limit(publication);
  };
}
