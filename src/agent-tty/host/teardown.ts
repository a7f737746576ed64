import { type Clock, raceSignal, startDeadline } from "../kit/index.ts";
import type { Pty } from "../pty/index.ts";
import {
  isSignalOnItsWay,
  isStillThere,
  livingFamily,
  markedProcesses,
  type ProcessRow,
  readProcess,
  recentProcesses,
  signalProcess,
} from "../processes/index.ts";

const POLITE_GRACE_MS = 400;
/**
 * How often the grace period may be repeated: on an overloaded machine until the child has received the signal. After that
 * SIGKILL is sent.
 */
const MAX_GRACES = 10;
const KILL_GRACE_MS = 5_000;
const LATE_GRACE_MS = 60_000;
const LOOK_EVERY_MS = 5;
const MAX_LOOKS = 200;

/** Identifies the processes of a Session wherever they moved; none of them is older than `sinceTicks`. */
export interface Mark {
  sessionId: string;
  sinceTicks: string;
}

/** `alone`: the child was the Session's only process before and after its end, so no second search is needed. */
export type ChildEnd = "alone" | "ended" | "stuck";

/**
 * Ends a child and everything in its session: SIGHUP and a short grace, then SIGKILL to the process group, to the other processes
 * of the terminal's session, and to descendants that left it.
 */
export async function endProcesses(
  pty: Pty,
  exited: Promise<unknown>,
  options: { force: boolean; clock: Clock; mark: Mark },
): Promise<ChildEnd> {
  const child = readProcess(pty.pid);
  const family = livingFamily(pty.pid, recentProcesses(options.clock));
  if (!options.force) {
    pty.killGroup("SIGHUP");
    // A stopped job could not handle SIGHUP otherwise.
    pty.killGroup("SIGCONT");
    await endsOrRefuses(pty.pid, exited, options.clock);
  }
  pty.killGroup("SIGKILL");
  const table = recentProcesses(options.clock);
  const left = [...family.filter(isStillThere), ...livingFamily(pty.pid, table)];
  const isAlone =
    left.length === 0 &&
    family.every(({ pid }) => pid === pty.pid) &&
    markedProcesses(options.mark, table).length === 0;
  await killProcesses(left, options.clock);
  return (await hasEnded(child, exited, options.clock)) ? (isAlone ? "alone" : "ended") : "stuck";
}

/** Waits until the child has ended or ignored SIGHUP. A process that has not run since the signal was sent has not ignored it. */
async function endsOrRefuses(pid: number, exited: Promise<unknown>, clock: Clock): Promise<void> {
  for (let grace = 0; grace < MAX_GRACES; grace += 1)
    if ((await settles(exited, clock, POLITE_GRACE_MS)) || !isSignalOnItsWay(pid, "SIGHUP")) return;
}

async function hasEnded(child: ProcessRow | null, exited: Promise<unknown>, clock: Clock): Promise<boolean> {
  if (await settles(exited, clock, KILL_GRACE_MS)) return true;
  // On an overloaded machine this process is notified long after the child is dead.
  const isDead = child === null || !isStillThere(child);
  return isDead && settles(exited, clock, LATE_GRACE_MS);
}

/**
 * Kills the processes and waits, for a limited time, until they are gone: the kernel ends a killed process a little later, and
 * notifies only its parent.
 */
export async function killProcesses(rows: readonly ProcessRow[], clock: Clock): Promise<void> {
  for (const row of rows) signalProcess(row, "SIGKILL");
  for (let look = 0; look < MAX_LOOKS && rows.some(isStillThere); look += 1) await clock.sleep(LOOK_EVERY_MS);
}

/**
 * Kills every process that carries the Session's marker, including those that left the terminal's session before the program
 * exited. All are stopped before any is killed, and the search repeats until nothing is found (with a limit), because forks could
 * otherwise outrun it.
 */
export async function killMarkedProcesses(mark: Mark, clock: Clock): Promise<void> {
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const rows = markedProcesses(mark);
    if (rows.length === 0) return;
    for (const row of rows) signalProcess(row, "SIGSTOP");
    for (const row of rows) signalProcess(row, "SIGKILL");
    await clock.sleep(LOOK_EVERY_MS);
  }
}

async function settles(work: Promise<unknown>, clock: Clock, withinMs: number): Promise<boolean> {
  using deadline = startDeadline(clock, "the end of the child", withinMs);
  try {
    await raceSignal(work, deadline.signal);
    return true;
  } catch {
    return false;
  }
}
