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
      if (row !== null) rows.set(pid, { row: unchanged(last?.row, row), readAtMs: nowMs });
    }
  }
  known.set(clock, rows);
  return [...rows.values()].map(({ row }) => row);
}

/** The row that is known already when the new one says the same, so that what was learned about it need not be read again. */
function unchanged(before: ProcessRow | undefined, now: ProcessRow): ProcessRow {
  const isSame =
    before?.startTicks === now.startTicks &&
    before.parentPid === now.parentPid &&
    before.sessionId === now.sessionId &&
    before.foregroundGroupId === now.foregroundGroupId &&
    before.isZombie === now.isZombie;
  return isSame ? before : now;
}

/** `sessionFamily` of rows that may be older, without those that have ended since. */
export function livingFamily(leaderPid: number, table: readonly ProcessRow[]): ProcessRow[] {
  return sessionFamily(leaderPid, table).filter(isStillThere);
}
