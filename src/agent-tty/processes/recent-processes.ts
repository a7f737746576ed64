import type { Clock } from "../kit/index.ts";
import {
  isStillThere,
  lastPidGiven,
  pidLimit,
  type ProcessRow,
  processIds,
  readProcess,
  sessionFamily,
} from "./process-table.ts";

/** The system gives out far fewer pids in this time than there are. */
const COUNTED_MS = 1_000;

interface KnownRow {
  row: ProcessRow;
  /** How many pids the system had given out when it was read, since this process began to count. */
  pids: number;
}

interface Known {
  rows: ReadonlyMap<number, KnownRow>;
  atMs: number;
  pids: number;
  lastPid: number;
}

/** For each clock, the rows that were read last. */
const known = new WeakMap<Clock, Known>();

/**
 * The process table for Sessions that end one after the other: every process that is there now, of which those are not read again
 * whose pid cannot have become that of another process since. A process belongs to a terminal's session from its first moment or
 * never, so an older row finds the same family; what has ended since is for `livingFamily` to leave out.
 */
export function recentProcesses(clock: Clock): ProcessRow[] {
  const before = known.get(clock);
  const now = countPids(before, clock.monotonicMs());
  const rows = new Map<number, KnownRow>();
  for (const pid of processIds()) {
    const last = before?.rows.get(pid);
    if (last !== undefined && now.pids - last.pids < pidLimit() / 2) rows.set(pid, last);
    else {
      const row = readProcess(pid);
      if (row !== null) rows.set(pid, { row: unchanged(last?.row, row), pids: now.pids });
    }
  }
  known.set(clock, { ...now, rows });
  return [...rows.values()].map(({ row }) => row);
}

/** Pids are given out in order, from the lowest again after the highest. After a pause it is not known how often. */
function countPids(before: Known | undefined, atMs: number): Omit<Known, "rows"> {
  const lastPid = lastPidGiven();
  if (before === undefined) return { atMs, pids: 0, lastPid };
  const isKnown = lastPid > 0 && before.lastPid > 0 && atMs - before.atMs < COUNTED_MS;
  const given = isKnown ? (lastPid - before.lastPid + pidLimit()) % pidLimit() : pidLimit();
  return { atMs, pids: before.pids + given, lastPid };
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
