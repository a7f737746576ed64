import type { Clock } from "../kit/index.ts";
import { isStillThere, type ProcessRow, processIds, readProcess, sessionFamily } from "./process-table.ts";

/** Far less than a kernel needs to give the pid of a process that ended to another one. */
const FRESH_MS = 1_000;

interface KnownRow {
  row: ProcessRow;
  readAtMs: number;
}

/** For each clock, the rows that were read last. */
const known = new WeakMap<Clock, ReadonlyMap<number, KnownRow>>();

/**
 * The process table for Sessions that end one after the other: every process that is there now, of which those that were
 * read within the last second are not read again. A process belongs to a terminal's session from its first moment or
 * never, so an older row finds the same family; what has ended since is for `livingFamily` to leave out.
 */
export function recentProcesses(clock: Clock): ProcessRow[] {
  const nowMs = clock.monotonicMs();
  const before = known.get(clock);
  const rows = new Map<number, KnownRow>();
  for (const pid of processIds()) {
    const last = before?.get(pid);
    if (last !== undefined && nowMs - last.readAtMs < FRESH_MS) rows.set(pid, last);
    else {
      const row = readProcess(pid);
      if (row !== null) rows.set(pid, { row, readAtMs: nowMs });
    }
  }
  known.set(clock, rows);
  return [...rows.values()].map(({ row }) => row);
}

/** `sessionFamily` of rows that may be older, without those that have ended since. */
export function livingFamily(leaderPid: number, table: readonly ProcessRow[]): ProcessRow[] {
  return sessionFamily(leaderPid, table).filter(isStillThere);
}
