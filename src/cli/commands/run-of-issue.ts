import { OperationalError, systemClock } from "agent-tty/kit";
import { openStore, readRuns, type RunRow } from "../../store/index.ts";
import { readEnvironment } from "../../config/index.ts";
import { existingStorePath, resolveHome, type HomeOfRun } from "../../home/index.ts";
import type { CliErrorCode } from "../exit-codes.ts";

export interface RunAddress {
  home?: string;
  repo: readonly string[];
}

/** The latest Triage Run of one issue, read from the store on each call. */
export interface RunOfIssue extends Disposable, HomeOfRun {
  read(): RunRow;
}

/** Rejects with RUN_NOT_FOUND when the home has no issue of that number, or several. */
export async function findRun(attempted: string, number: number, address: RunAddress): Promise<RunOfIssue> {
  const home = resolveHome(address.home, readEnvironment(process.env));
  const path = existingStorePath(home);
  if (path === null) throw notFound(attempted, { number, home, count: 0 });
  const store = await openStore({ path, clock: systemClock });
  try {
    const rows = readRuns(store, systemClock.nowMs()).filter(
      ({ facts }) =>
        facts.number === number && (address.repo.length === 0 || address.repo.includes(facts.repo)),
    );
    const [row] = rows;
    if (row === undefined || rows.length > 1) throw notFound(attempted, { number, home, count: rows.length });
    const { repo } = row.facts;
    return {
      home,
      store,
      read: () => readRuns(store, systemClock.nowMs(), { type: "issue", repo, number })[0] ?? row,
      [Symbol.dispose]: () => store[Symbol.dispose](),
    };
  } catch (error) {
    store[Symbol.dispose]();
    throw error;
  }
}

/** The error for an issue of which the home has no run, or runs in several repositories (`count`). */
export function notFound(
  attempted: string,
  { number, home, count }: { number: number; home: string; count: number },
): OperationalError<CliErrorCode> {
  return new OperationalError({
    code: "RUN_NOT_FOUND",
    message: `${attempted} issue ${number}: the home ${home} has ${count} Triage Runs of that issue`,
    remedy: count > 1 ? "Say which repository with --repo." : "See `afk-triage list`.",
  });
}
