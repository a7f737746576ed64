import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Ends every process whose environment carries `entry` (`NAME=value`), however far it has detached itself. */
export function killProcessesCarrying(entry: string): void {
  killAll(() => processesCarrying(entry));
}

/**
 * A machine that is switched off: also what has emptied its environment, if it stands in or runs from `directory`, or names it
 * and has no parent left. What names it and has one may be the other end of a connection.
 */
export function killProcessesOfMachine(entry: string, directory: string): void {
  killAll(() => [...new Set([...processesCarrying(entry), ...processesNaming(directory)])]);
}

export function processesCarrying(entry: string): number[] {
  return processesWhere((pid) => readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(entry));
}

function processesNaming(directory: string): number[] {
  return processesWhere(
    (pid) =>
      (isOrphan(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(directory)) ||
      ["cwd", "exe", "root"].some((link) =>
        `${readlinkSync(`/proc/${pid}/${link}`)}/`.startsWith(`${directory}/`),
      ),
  );
}

function isOrphan(pid: string): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] === "1";
}

function processesWhere(matches: (pid: string) => boolean): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const isZombie = /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
        return !isZombie && matches(pid);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Looks that must find nothing, one after the other: a process may have forked between the listing and the reading. */
const EMPTY_LOOKS = 3;
const MAX_LOOKS = 500;

function killAll(find: () => number[]): void {
  for (let looks = 0, empty = 0; empty < EMPTY_LOOKS && looks < MAX_LOOKS; looks += 1) {
    const found = find();
    empty = found.length === 0 ? empty + 1 : 0;
    // All are stopped before one is ended, or a relay of short-lived processes would outrun this.
    for (const name of ["SIGSTOP", "SIGKILL"] as const)
      for (const pid of found) {
        try {
          process.kill(pid, name);
        } catch {
          // It ended by itself.
        }
      }
  }
}
