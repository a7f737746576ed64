import type { Session } from "agent-tty";
import { type Clock, raceSignal, startDeadline } from "agent-tty/kit";
import { notStopped } from "./handle-error.ts";

const KILL_GRACE_MS = 100;
const MAX_KILLS = 20;

/** L12: SIGTERM, a grace, SIGKILL; resolves once the program has ended. Rejects with AGENT_HANDLE_NOT_STOPPED. */
export async function stopProgram(session: Session, clock: Clock, graceMs: number): Promise<void> {
  await signal(session, "SIGTERM");
  let hasEnded = await endsWithin(session, clock, graceMs);
  // Each kill reaches the process group in the foreground; a shell behind it is next.
  for (let kills = 0; kills < MAX_KILLS && !hasEnded; kills += 1) {
    await signal(session, "SIGKILL");
    hasEnded = await endsWithin(session, clock, KILL_GRACE_MS);
  }
  if (!hasEnded) throw notStopped(session.pid);
}

/** A program that exits in between takes no signal any more, and needs none. */
async function signal(session: Session, name: NodeJS.Signals): Promise<void> {
  await session.signal(name).catch((error: unknown) => {
    if (session.status() === "running") throw error;
  });
}

async function endsWithin(session: Session, clock: Clock, durationMs: number): Promise<boolean> {
  using deadline = startDeadline(clock, "the end of the program", durationMs);
  try {
    await raceSignal(session.exited, deadline.signal);
    return true;
  } catch {
    return false;
  }
}
