import { readdirSync, readFileSync } from "node:fs";

/** A moment, in hundredths of a second since the boot, as /proc tells when a process started. */
export type BootTicks = number;

/** When this process started. */
export const OWN_START = startOf(readFileSync("/proc/self/stat", "utf8"));

/** A second before now, or less: what this process starts from now on starts after it. */
export function ticksNow(): BootTicks {
  return OWN_START + Math.floor(process.uptime() * 100) - 100;
}

/**
 * Other living processes that started since then, with their /proc/PID/stat. Most processes of a machine are older, and reading
 * more of them took a third of the tests that look often. `older` collects those, which a later look leaves out.
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

/** The process may be gone, or another user's. */
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
