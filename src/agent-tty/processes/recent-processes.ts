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

/** In this time the system assigns far fewer pids than the limit. */
const COUNTED_MS = 1_000;

interface KnownRow {
  row: ProcessRow;
  /** How many pids the system had assigned when the row was read, counted since this process began to count. */
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
 * Returns the process table for Sessions that end one after the other. It contains every process that exists now. A row is read
 * again only if its pid may since belong to another process. An older row finds the same family, because a process belongs to a
 * terminal's session from its start or never. `livingFamily` leaves out processes that have ended since.
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

/**
 * Returns how many pids the system has assigned. Pids are assigned in ascending order and start again at the lowest after the
 * highest. After a pause the number of rounds is unknown.
 */
function countPids(before: Known | undefined, atMs: number): Omit<Known, "rows"> {
  const lastPid = lastPidGiven();
  if (before === undefined) return { atMs, pids: 0, lastPid };
  const isKnown = lastPid > 0 && before.lastPid > 0 && atMs - before.atMs < COUNTED_MS;
  const given = isKnown ? (lastPid - before.lastPid + pidLimit()) % pidLimit() : pidLimit();
  return { atMs, pids: before.pids + given, lastPid };
}

/** Returns the known row if the new one is equal, so that what was cached for the row is kept. */
function unchanged(before: ProcessRow | undefined, now: ProcessRow): ProcessRow {
  const isSame =
    before?.startTicks === now.startTicks &&
    before.parentPid === now.parentPid &&
    before.sessionId === now.sessionId &&
    before.foregroundGroupId === now.foregroundGroupId &&
    before.isZombie === now.isZombie;
  return isSame ? before : now;
}

/** Returns `sessionFamily` of rows that may be outdated, without the processes that have ended since. */
export function livingFamily(leaderPid: number, table: readonly ProcessRow[]): ProcessRow[] {
  return sessionFamily(leaderPid, table).filter(isStillThere);
}
