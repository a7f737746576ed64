import { raceSignal } from "agent-tty/kit";
import type { RepositoryName } from "../../github/index.ts";

/**
 * Limits how many publications run at once. Waiting for a turn must not count towards the age of the last look or a request's
 * time limit. All batches of a process share the turns. `wait` ends the wait, which then rejects with its reason, and no
 * publication that has begun.
 */
export type PublicationTurns = <Result>(
  repo: RepositoryName,
  publication: () => Promise<Result>,
  wait: AbortSignal,
) => Promise<Result>;

/**
 * The maximum number of publications at once. GitHub asks for three seconds between comments and one second between other writes:
 * more publications would only wait for each other, longer than a request may take.
 */
const PUBLICATIONS = 3;

/** The turns of one account. */
interface Turns {
  free: number;
  /** Each of them is called when its turn comes. */
  readonly waiting: Set<() => void>;
}

/**
 * Returns the turns in which a batch publishes. Each of our accounts has its own turns. `accountOf` returns the account to which
 * GitHub counts the writes to a repository.
 */
export function createPublicationTurns(accountOf: (repo: RepositoryName) => string): PublicationTurns {
  const accounts = new Map<string, Turns>();
  return async (repo, publication, wait) => {
    const account = accountOf(repo);
    const turns = accounts.get(account) ?? { free: PUBLICATIONS, waiting: new Set() };
    accounts.set(account, turns);
    await take(turns, wait);
    try {
      return await publication();
    } finally {
      give(turns);
    }
  };
}

async function take(turns: Turns, wait: AbortSignal): Promise<void> {
  wait.throwIfAborted();
  if (turns.free > 0) {
    turns.free -= 1;
    return;
  }
  let come = (): void => undefined;
  const turn = new Promise<void>((resolve) => (come = resolve));
  turns.waiting.add(come);
  await raceSignal(turn, wait).catch((error: unknown) => {
    // A turn that came at the moment when the wait ended is taken: nobody else would give it on.
    if (turns.waiting.delete(come)) throw error;
  });
}

function give(turns: Turns): void {
  const [next] = turns.waiting;
  if (next === undefined) {
    turns.free += 1;
    return;
  }
  turns.waiting.delete(next);
  next();
}
