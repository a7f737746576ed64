import { constants } from "node:os";
import { createSession, type Home, restartSession, type Session } from "agent-tty";
import { startDeadline, raceSignal, systemClock } from "agent-tty/kit";
import { type AgentHandleFacts, agentHandleState, type AgentHandleState } from "../../../../src/tui/index.ts";
import type { SilenceTimings } from "../../../../src/tui/index.ts";

const STOP_GRACE_MS = 100;
const EXIT_LIMIT_MS = 10_000;

/** A real program in a Session; its state is derived by the product's AgentHandle machine. */
export interface ProgramHandle extends AsyncDisposable {
  readonly state: AgentHandleState;
  /** Sends SIGTERM, then SIGKILL after a grace. Rejects if the program has already exited. */
  stop(): Promise<void>;
  /** Rejects as restartSession does. */
  restart(): Promise<void>;
}

export async function startProgramHandle(
  home: Home,
  spec: { command: [string, ...string[]]; cwd: string; env: Record<string, string>; timings: SilenceTimings },
): Promise<ProgramHandle> {
  const { timings, ...program } = spec;
  let session = await createSession(home, program);
  let facts = newFacts();
  let seenSeq = session.lastSeq();
  const observe = (): AgentHandleState => {
    const nowMs = systemClock.nowMs();
    const seq = session.lastSeq();
    if (seq > seenSeq && facts.exitCode === null) facts = { ...facts, lastOutputAtMs: nowMs };
    seenSeq = seq;
    return agentHandleState(facts, nowMs, timings);
  };
  const watchExit = (watched: Session): void =>
    void watched.exited.then((exit) => {
      // Shells report a death by signal as 128 + the signal's number.
      const exitCode = exit.type === "code" ? exit.code : 128 + signalNumber(exit.signal);
      facts = { ...facts, exitCode };
    });
  watchExit(session);
  return {
    get state() {
      return observe();
    },
    stop: async () => {
      await session.signal("SIGTERM");
      if (!(await exitsWithin(session, STOP_GRACE_MS))) await session.signal("SIGKILL");
      await exitsWithin(session, EXIT_LIMIT_MS);
    },
    restart: async () => {
      if (facts.exitCode !== null) await session[Symbol.asyncDispose]();
      session = await restartSession(home, session.id, { env: spec.env });
      facts = newFacts();
      seenSeq = session.lastSeq();
      watchExit(session);
    },
    [Symbol.asyncDispose]: async () => session[Symbol.asyncDispose](),
  };
}

function newFacts(): AgentHandleFacts {
  return { startedAtMs: systemClock.nowMs(), lastOutputAtMs: null, exitCode: null };
}

async function exitsWithin(session: Session, durationMs: number): Promise<boolean> {
  using deadline = startDeadline(systemClock, "the end of the program", durationMs);
  return await raceSignal(session.exited, deadline.signal).then(
    () => true,
    () => false,
  );
}

function signalNumber(name: string): number {
  return (constants.signals as Readonly<Record<string, number>>)[name] ?? 0;
}
