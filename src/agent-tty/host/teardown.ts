import { type Clock, raceSignal, startDeadline } from "../kit/index.ts";
import {
  isStillThere,
  markedProcesses,
  type ProcessRow,
  type Pty,
  sessionFamily,
  signalProcess,
} from "../pty/index.ts";

const POLITE_GRACE_MS = 400;
const KILL_GRACE_MS = 5_000;
const LOOK_EVERY_MS = 5;
const MAX_LOOKS = 200;

/**
 * Ends a child and everything of its session: SIGHUP and a short grace, then SIGKILL to the process group, to what
 * else is in the terminal's session, and to descendants that left it. False when the child outlived even that.
 */
export async function endProcesses(
  pty: Pty,
  exited: Promise<unknown>,
  options: { force: boolean; clock: Clock },
): Promise<boolean> {
  const family = sessionFamily(pty.pid);
  if (!options.force) {
    pty.killGroup("SIGHUP");
    // A stopped job cannot act on it otherwise.
    pty.killGroup("SIGCONT");
    await settles(exited, options.clock, POLITE_GRACE_MS);
  }
  pty.killGroup("SIGKILL");
  await killProcesses([...family, ...sessionFamily(pty.pid)], options.clock);
  return settles(exited, options.clock, KILL_GRACE_MS);
}

/** Resolves once they are gone (bounded): the kernel ends a killed process a little later, and only tells its parent. */
export async function killProcesses(rows: readonly ProcessRow[], clock: Clock): Promise<void> {
  for (const row of rows) signalProcess(row, "SIGKILL");
  for (let look = 0; look < MAX_LOOKS && rows.some(isStillThere); look += 1) await clock.sleep(LOOK_EVERY_MS);
}

/**
 * Kills what carries the Session's marker, also what left the terminal's session before the program's natural exit. All are
 * stopped before any is killed, and it looks again until nothing is found (bounded), or a fork would outrun it.
 */
export async function killMarkedProcesses(sessionId: string, clock: Clock): Promise<void> {
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const rows = markedProcesses(sessionId);
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
