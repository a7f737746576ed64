import { readFileSync, readlinkSync } from "node:fs";
import { type BootTicks, orEmpty, OWN_START, processesSince } from "../process-starts.ts";

/**
 * Kills every process that started after `since` and has `entry` (`NAME=value`) in its environment, even if it has detached
 * itself.
 */
export function killProcessesCarrying(entry: string, since: BootTicks): void {
  const older = new Set<string>();
  killAll(() => processesCarrying(entry, since, older));
}

/**
 * A simulated machine. Its processes started after `since`, and have its `mark` (`NAME=value`) in their environment or are in its
 * `directory`.
 */
export interface Machine {
  mark: string;
  directory: string;
  since: BootTicks;
}

/**
 * Kills all processes of machines that are switched off. This includes a process with an empty environment, if its working
 * directory or program is in the directory, or if it names the directory and has no parent left. A process that names the
 * directory and has a parent may be the other end of a connection. One pass covers all machines: reading every process once per
 * machine took a third of the time of the tests with many machines.
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

/** Returns the processes whose environment contains `entry` and that started after `since`, by default after this process. */
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
        // The process is gone, or belongs to another user.
        return false;
      }
    })
    .map(({ pid }) => Number(pid));
}

/** The number of consecutive passes that must find nothing, because a process may fork between the listing and the reading. */
const EMPTY_LOOKS = 3;
const MAX_LOOKS = 500;

function killAll(find: () => number[]): void {
  for (let looks = 0, empty = 0; empty < EMPTY_LOOKS && looks < MAX_LOOKS; looks += 1) {
    const found = find();
    empty = found.length === 0 ? empty + 1 : 0;
    // All processes are stopped before any is killed; otherwise a chain of short-lived processes could escape.
    for (const name of ["SIGSTOP", "SIGKILL"] as const)
      for (const pid of found) {
        try {
          process.kill(pid, name);
        } catch {
          // The process has already ended.
        }
      }
  }
}
