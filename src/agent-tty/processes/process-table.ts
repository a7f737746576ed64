import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";

/** One row of the process table. `startTicks` distinguishes a process from a later one with the same pid. */
export interface ProcessRow {
  pid: number;
  parentPid: number;
  groupId: number;
  sessionId: number;
  foregroundGroupId: number;
  startTicks: string;
  isZombie: boolean;
}

/** Returns the row of a process, or null if there is no such process, or no /proc (macOS). */
export function readProcess(pid: number): ProcessRow | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return null;
  }
}

/** Returns the program and its arguments, or an empty list if there is no such process, or no /proc (macOS). */
export function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    return [];
  }
}

/** Returns the name of the program in the foreground of the terminal of process `pid`; null if it cannot be determined. */
export function foregroundProgramOf(pid: number): string | null {
  const group = foregroundGroupOf(pid);
  if (group === null) return null;
  try {
    if (isForkOfThis(group)) return null;
    const name = readFileSync(`/proc/${group}/comm`, "utf8").trimEnd();
    // Node.js 24 and later name their main thread, and with it the process.
    return name === "MainThread" ? "node" : name;
  } catch {
    return null;
  }
}

/** Returns the process group in the foreground of the process's terminal; null if there is none, or if it cannot be read. */
export function foregroundGroupOf(pid: number): number | null {
  const group = readProcess(pid)?.foregroundGroupId ?? -1;
  return group > 0 ? group : null;
}

/**
 * Returns every living process of the session that `leaderPid` leads, and all their descendants, even if they left the session.
 * Linux only.
 */
export function sessionFamily(
  leaderPid: number,
  table: readonly ProcessRow[] = processTable(),
): ProcessRow[] {
  const rows = table.filter((row) => !row.isZombie);
  const family = new Set(
    rows.filter((row) => row.sessionId === leaderPid || row.pid === leaderPid).map((row) => row.pid),
  );
  for (let before = -1; before !== family.size;) {
    before = family.size;
    for (const row of rows) if (family.has(row.parentPid)) family.add(row.pid);
  }
  return rows.filter((row) => family.has(row.pid));
}

/**
 * Returns whether the process that was seen still runs. A process that has ended does not, even if its parent has not collected
 * its exit code.
 */
export function isStillThere(seen: ProcessRow): boolean {
  const now = readProcess(seen.pid);
  return now !== null && !now.isZombie && now.startTicks === seen.startTicks;
}

/** Sends a signal to exactly the process that was seen, never to a later one with the same pid. */
export function signalProcess(seen: ProcessRow, signal: NodeJS.Signals): void {
  if (!isStillThere(seen)) return;
  try {
    process.kill(seen.pid, signal);
  } catch {
    // It has ended in the meantime, so there is nothing to signal.
  }
}

/**
 * Returns whether a signal that was sent to the process is still pending, because the process has not run since then. A blocked
 * signal does not count as pending, unless the process is a fork of this one that has not executed its program yet. Linux only.
 */
export function isSignalOnItsWay(pid: number, signal: NodeJS.Signals): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const has = (name: string): boolean => {
      const [, mask = "0"] = new RegExp(`^${name}:\\s*([0-9a-f]+)$`, "m").exec(status) ?? [];
      return (BigInt(`0x${mask}`) & maskOf(signal)) !== 0n;
    };
    return (has("SigPnd") || has("ShdPnd")) && (!has("SigBlk") || isForkOfThis(pid));
  } catch {
    return false;
  }
}

/**
 * Returns whether the process is a child that has not executed its program yet. Such a child has the command line of this
 * process.
 */
function isForkOfThis(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8") === readFileSync("/proc/self/cmdline", "utf8");
}

function maskOf(signal: NodeJS.Signals): bigint {
  return 1n << BigInt(constants.signals[signal] - 1);
}

/** Returns the rows of all processes; an empty list without /proc (macOS). */
export function processTable(): ProcessRow[] {
  return processIds()
    .map(readProcess)
    .filter((row) => row !== null);
}

/** Returns the pids of all processes; an empty list without /proc (macOS). */
export function processIds(): number[] {
  try {
    return readdirSync("/proc").filter(startsWithDigit).map(Number);
  } catch {
    return [];
  }
}

/** Returns the pid that the system assigned last (proc(5), the last field of loadavg), or 0 if it cannot be read. */
export function lastPidGiven(): number {
  return numberIn("/proc/loadavg", /(\d+)$/) ?? 0;
}

/** Returns the upper limit of pids. */
export function pidLimit(): number {
  limit ??= numberIn("/proc/sys/kernel/pid_max", /^(\d+)$/) ?? LEAST_PID_LIMIT;
  return limit;
}

/** The default limit of Linux on small machines. */
const LEAST_PID_LIMIT = 32_768;
let limit: number | null = null;

function numberIn(path: string, pattern: RegExp): number | null {
  try {
    return Number(pattern.exec(readFileSync(path, "utf8").trim())?.[1] ?? 0);
  } catch {
    return null;
  }
}

/** In /proc, only entries of processes start with a digit. */
function startsWithDigit(name: string): boolean {
  return name >= "0" && name < ":";
}

/**
 * Returns the row of a process from its stat file (proc(5)). The name in parentheses may itself contain spaces and parentheses.
 */
function parseStat(text: string): ProcessRow {
  const pid = Number.parseInt(text, 10);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return {
    pid,
    isZombie: fields[0] === "Z" || fields[0] === "X",
    parentPid: Number(fields[1]),
    groupId: Number(fields[2]),
    sessionId: Number(fields[3]),
    foregroundGroupId: Number(fields[5]),
    startTicks: fields[19] ?? "",
  };
}
