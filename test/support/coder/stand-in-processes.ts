import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Ends every process whose environment carries `entry` (`NAME=value`), however far it has detached itself. */
export function killProcessesCarrying(entry: string): void {
  killAll(() => processesCarrying(entry));
}

/** A process of a machine carries its `mark` (`NAME=value`) in its environment, or is in its `directory`. */
export interface Machine {
  mark: string;
  directory: string;
}

/**
 * Machines that are switched off: also what has emptied its environment, if it stands in or runs from the directory, or names it
 * and has no parent left. What names it and has one may be the other end of a connection. One look sees all machines: looking at every
 * process once for each machine was a third of the time of the tests with many.
 */
export function killProcessesOfMachines(machines: readonly Machine[]): void {
  if (machines.length === 0) return;
  killAll(() =>
    processesWhere((pid, stat) => {
      const environment = orEmpty(() => readFileSync(`/proc/${pid}/environ`, "utf8")).split("\0");
      return machines.some(({ mark }) => environment.includes(mark)) || isOneIn(pid, stat, machines);
    }),
  );
}

export function processesCarrying(entry: string): number[] {
  return processesWhere((pid) => readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(entry));
}

function isOneIn(pid: string, stat: string, machines: readonly Machine[]): boolean {
  const isOrphan = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] === "1";
  const commandLine = isOrphan ? readFileSync(`/proc/${pid}/cmdline`, "latin1") : "";
  if (machines.some(({ directory }) => commandLine.includes(directory))) return true;
  return ["cwd", "exe", "root"].some((link) => {
    const place = `${readlinkSync(`/proc/${pid}/${link}`)}/`;
    return machines.some(({ directory }) => place.startsWith(`${directory}/`));
  });
}

/** Another user's, or gone. */
function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

function processesWhere(matches: (pid: string, stat: string) => boolean): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const isZombie = /^\d+ \(.*\) Z/s.test(stat);
        return !isZombie && matches(pid, stat);
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
