import { readFileSync, readlinkSync } from "node:fs";
import { type BootTicks, orEmpty, OWN_START, processesSince } from "../process-starts.ts";

/** Ends every process that started since then and carries `entry` (`NAME=value`) in its environment, however far it has detached itself. */
export function killProcessesCarrying(entry: string, since: BootTicks): void {
  const older = new Set<string>();
  killAll(() => processesCarrying(entry, since, older));
}

/** A process of a machine started after it did, and carries its `mark` (`NAME=value`) in its environment or is in its `directory`. */
export interface Machine {
  mark: string;
  directory: string;
  since: BootTicks;
}

/**
 * Machines that are switched off: also what has emptied its environment, if it stands in or runs from the directory, or names it
 * and has no parent left. What names it and has one may be the other end of a connection. One look sees all machines: looking at every
 * process once for each machine was a third of the time of the tests with many.
 */
export function killProcessesOfMachines(machines: readonly Machine[]): void {
  if (machines.length === 0) return;
  const since = Math.min(...machines.map((machine) => machine.since));
  const older = new Set<string>();
  killAll(() =>
    processesWhere(since, older, (pid, stat) => {
      const environment = orEmpty(() => readFileSync(`/proc/${pid}/environ`, "utf8")).split("\0");
      return machines.some(({ mark }) => environment.includes(mark)) || isOneIn(pid, stat, machines);
    }),
  );
}

/** Processes whose environment carries `entry`, of those that started since then: by default since this process did. */
export function processesCarrying(
  entry: string,
  since: BootTicks = OWN_START,
  older = new Set<string>(),
): number[] {
  return processesWhere(since, older, (pid) =>
    readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(entry),
  );
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

function processesWhere(
  since: BootTicks,
  older: Set<string>,
  matches: (pid: string, stat: string) => boolean,
): number[] {
  return processesSince(since, older)
    .filter(({ pid, stat }) => {
      try {
        return matches(pid, stat);
      } catch {
        // It is gone, or another user's.
        return false;
      }
    })
    .map(({ pid }) => Number(pid));
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
