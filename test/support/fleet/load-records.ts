import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { openFleetCopy, type PostgresSql, sendRecords } from "../../../src/fleet/index.ts";
import { storePath } from "../../../src/home/index.ts";
import { openStore, type RunTotals } from "../../../src/store/index.ts";

/** The fleet's board compared with the stores of all workers. */
export interface RecordFigures {
  /** The number of Triage Runs in the workers' stores. */
  runs: number;
  /** The number of runs in the stores that the board does not show, or shows more than once. */
  lost: number;
  doubled: number;
  /** The number of runs whose last state is not on the board before the stores of killed workers are read again. */
  leftOver: number;
  /** Whether the totals of the board equal the sums over all stores: by end, by result and in dollars. */
  areTotalsEqual: boolean;
}

/**
 * Compares the totals of the fleet's board with the stores of all workers. `workerHomes` includes those of killed workers: their
 * stores still have rows to send, which the next process with such a home sends.
 */
export async function compareRecords(
  sql: PostgresSql,
  directory: string,
  workerHomes: readonly string[],
): Promise<RecordFigures> {
  const [clock, ids] = [systemClock, systemIds(systemClock)];
  const onFailure = (message: string): never => {
    throw new Error(message);
  };
  using copy = await openFleetCopy({ sql, directory: join(directory, "fleet-board"), clock, ids, onFailure });
  const lasting = new AbortController().signal;
  await copy.refresh(lasting);
  using shown = await openStore({ path: copy.storePath, clock });
  const everything = { batch: null, endedAfterMs: null };
  const before = shown.runTotals(everything);
  const truth: RunTotals[] = [];
  for (const home of workerHomes) {
    using store = await openStore({ path: storePath(home), clock });
    truth.push(store.runTotals(everything));
    await sendRecords({ storePath: storePath(home), sql, clock, ids, onFailure }, AbortSignal.abort());
  }
  await copy.refresh(lasting);
  const board = shown.runTotals(everything);
  const sum = (of: (totals: RunTotals) => number): number => truth.reduce((all, one) => all + of(one), 0);
  const sums = (of: (totals: RunTotals) => Record<string, number>): Record<string, number> => {
    const all: Record<string, number> = {};
    for (const one of truth)
      for (const [name, count] of Object.entries(of(one))) all[name] = (all[name] ?? 0) + count;
    return all;
  };
  const settled = (totals: RunTotals): number => totals.runs - (totals.statuses["live"] ?? 0);
  const runs = sum((totals) => totals.runs);
  return {
    runs,
    lost: Math.max(0, runs - board.runs),
    doubled: Math.max(0, board.runs - runs),
    leftOver: sum(settled) - settled(before),
    areTotalsEqual:
      sameCounts(
        board.statuses,
        sums(({ statuses }) => statuses),
      ) &&
      sameCounts(
        board.results,
        sums(({ results }) => results),
      ) &&
      Math.abs(board.usd - sum(({ usd }) => usd)) < 1e-6,
  };
}

/** Compares counts; a count of 0 equals a missing one. */
function sameCounts(one: Record<string, number>, other: Record<string, number>): boolean {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every(
    (name) => (one[name] ?? 0) === (other[name] ?? 0),
  );
}
