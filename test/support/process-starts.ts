import { readdirSync, readFileSync } from "node:fs";

/** A moment in hundredths of a second since the boot, the unit of process starts in /proc. */
export type BootTicks = number;

export const OWN_START = startOf(readFileSync("/proc/self/stat", "utf8"));

/** Returns a moment up to a second ago; every process started from now on starts after it. */
export function ticksNow(): BootTicks {
  return OWN_START + Math.floor(process.uptime() * 100) - 100;
}

/**
 * Returns the other living processes that started after `since`, with their /proc/PID/stat. Most processes of a machine are
 * older, and reading more of each took a third of the time of tests that check often. `older` collects these, and a later call
 * skips them.
 */
export function processesSince(since: BootTicks, older = new Set<string>()): { pid: string; stat: string }[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid || older.has(pid)) return [];
    const stat = orEmpty(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
    if (stat === "" || /^\d+ \(.*\) [ZX]/s.test(stat)) return [];
    if (startOf(stat) >= since) return [{ pid, stat }];
    older.add(pid);
    return [];
  });
}

/** Returns an empty text if the read fails: the process may be gone, or belong to another user. */
export function orEmpty(look: () => string): string {
  try {
    return look();
  } catch {
    return "";
  }
}

function startOf(stat: string): BootTicks {
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
}
