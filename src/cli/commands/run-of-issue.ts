import { OperationalError, systemClock } from "agent-tty/kit";
import { openStore, readRuns, type RunRow, type Store } from "../../store/index.ts";
import { readEnvironment } from "../../config/index.ts";
import { existingStorePath, resolveHome, type HomeOfRun, unfinishedBatches } from "../../home/index.ts";
import type { CliErrorCode } from "../exit-codes.ts";

export interface RunAddress {
  home?: string;
  repo: readonly string[];
}

/** One issue of a home. `read` reads its latest Triage Run from the store on each call; null: the store has none. */
export interface IssueOfHome extends Disposable, HomeOfRun {
  /** `owner/name` */
  repo: string;
  read(): RunRow | null;
}

/** The latest Triage Run of one issue, read from the store on each call. */
export interface RunOfIssue extends Disposable, HomeOfRun {
  read(): RunRow;
}

/** Returns the latest Triage Run of an issue. Rejects with RUN_NOT_FOUND when the home has no issue of that number, or several. */
export async function findRun(attempted: string, number: number, address: RunAddress): Promise<RunOfIssue> {
  const issue = await findIssue(attempted, number, address);
  try {
    return latestRun(attempted, number, issue);
  } catch (error) {
    issue[Symbol.dispose]();
    throw error;
  }
}

/**
 * Returns the issue's latest Triage Run; disposing it closes the store of `issue`. Throws RUN_NOT_FOUND when the store has none.
 */
export function latestRun(attempted: string, number: number, issue: IssueOfHome): RunOfIssue {
  const row = issue.read();
  if (row === null) throw notFound(attempted, { number, home: issue.home, count: 0 });
  return { ...issue, read: () => issue.read() ?? row };
}

/**
 * Returns the issue with this number. Its repository is that of its runs, or the one repository of the home's unfinished batches,
 * in which the issue may wait. Rejects with RUN_NOT_FOUND when there is none, or more than one.
 */
export async function findIssue(
  attempted: string,
  number: number,
  { home: given, repo: named }: RunAddress,
): Promise<IssueOfHome> {
  const home = resolveHome(given, readEnvironment(process.env));
  const path = existingStorePath(home);
  if (path === null) throw notFound(attempted, { number, home, count: 0 });
  const store = await openStore({ path, clock: systemClock });
  try {
    const isNamed = (repo: string): boolean => named.length === 0 || named.includes(repo);
    const known = readRuns(store, systemClock.nowMs())
      .filter(({ facts }) => facts.number === number && isNamed(facts.repo))
      .map(({ facts }) => facts.repo);
    const repos = known.length > 0 ? known : reposAtWork(store).filter(isNamed);
    const [repo, ...others] = repos;
    if (repo === undefined || others.length > 0)
      throw notFound(attempted, { number, home, count: known.length, repos: repos.length });
    return {
      home,
      store,
      repo,
      read: () => readRuns(store, systemClock.nowMs(), { type: "issue", repo, number })[0] ?? null,
      [Symbol.dispose]: () => store[Symbol.dispose](),
    };
  } catch (error) {
    store[Symbol.dispose]();
    throw error;
  }
}

/** Returns the repositories of the unfinished batches. */
function reposAtWork(store: Store): string[] {
  return [...new Set(unfinishedBatches(store).flatMap(({ repos }) => repos))];
}

/** Returns the error for an issue of which the home has `count` runs, and that may be in `repos` repositories. */
export function notFound(
  attempted: string,
  { number, home, count, repos = count }: { number: number; home: string; count: number; repos?: number },
): OperationalError<CliErrorCode> {
  return new OperationalError({
    code: "RUN_NOT_FOUND",
    message: `${attempted} issue ${number}: the home ${home} has ${count} Triage Runs of that issue`,
    remedy: repos > 1 ? "Say which repository with --repo." : "See `afk-triage list`.",
  });
}
