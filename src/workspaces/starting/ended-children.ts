import { constants } from "node:os";
import type { Clock } from "agent-tty/kit";
import type { PosixCalls } from "./posix-calls.ts";
import type { ProgramEnd } from "./program.ts";

/** Signals of one kind that come together are one: nobody waits longer than this for one that was lost. */
const LOOK_EVERY_MS = 1_000;

/** Children of this process, by pid, that Node does not know, so that it never asks for their exit codes. */
const awaited = new Map<number, (end: ProgramEnd) => void>();
let isListening = false;

/** The end of a child of this process, which it keeps alive until then. */
export function awaitEnd(pid: number, calls: PosixCalls, clock: Clock): Promise<ProgramEnd> {
  if (!isListening) process.on("SIGCHLD", () => collectEnded(calls));
  isListening = true;
  const ended = new AbortController();
  const end = new Promise<ProgramEnd>((resolve) => {
    awaited.set(pid, (seen) => {
      ended.abort();
      resolve(seen);
    });
  });
  void lookUntil(ended.signal, calls, clock);
  return end;
}

async function lookUntil(ended: AbortSignal, calls: PosixCalls, clock: Clock): Promise<void> {
  while (!ended.aborted) {
    collectEnded(calls);
    await clock.sleep(LOOK_EVERY_MS, ended).catch(() => undefined);
  }
}

function collectEnded(calls: PosixCalls): void {
  for (const [pid, tell] of awaited) {
    const status = calls.statusOf(pid);
    if (status === null) continue;
    awaited.delete(pid);
    tell(endOf(status));
  }
}

/** wait(2): the low seven bits are the signal. */
function endOf(status: number): ProgramEnd {
  const signalNumber = status & 0x7f;
  if (signalNumber === 0) return { exitCode: (status >> 8) & 0xff, signalName: null };
  const names = Object.keys(constants.signals) as NodeJS.Signals[];
  const signalName = names.find((name) => constants.signals[name] === signalNumber) ?? "SIGKILL";
  return { exitCode: null, signalName };
}
