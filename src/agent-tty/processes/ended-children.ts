import type { Clock } from "../kit/index.ts";
import type { PosixCalls } from "./posix/posix-calls.ts";

/** How a child ended; `code` counts where `signalNumber` is 0. */
export interface ChildEnd {
  code: number;
  signalNumber: number;
}

/** A safety net: the kernel tells of every end, also of several at once. */
const LOOK_EVERY_MS = 10_000;

/** Children of this process, by pid, that Node does not know, so that it never asks for their exit codes. */
const awaited = new Map<number, (end: ChildEnd) => void>();
let isListening = false;
/** Ends the wait between two looks, which keeps this process alive. */
let rest: AbortController | null = null;

/** The end of a child of this process, which it keeps alive until then. */
export function awaitEnd(pid: number, calls: PosixCalls, clock: Clock): Promise<ChildEnd> {
  if (!isListening) process.on("SIGCHLD", () => collectEnded(calls));
  isListening = true;
  const end = new Promise<ChildEnd>((resolve) => awaited.set(pid, resolve));
  if (rest === null) void lookUntilAllEnded(calls, clock);
  // It may have ended before anybody listened.
  collect(pid, calls);
  return end;
}

async function lookUntilAllEnded(calls: PosixCalls, clock: Clock): Promise<void> {
  const { signal } = (rest = new AbortController());
  // A child may be awaited in the same turn in which the last one has ended: another loop looks for that one.
  while (!signal.aborted) {
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    collectAll(calls);
  }
}

/** One question for each end, however many children live. */
function collectEnded(calls: PosixCalls): void {
  for (let pid = calls.endedChild(); pid !== null; pid = calls.endedChild())
    // A child that Node is still to ask for hides those behind it.
    if (!collect(pid, calls)) return collectAll(calls);
}

function collectAll(calls: PosixCalls): void {
  for (const pid of awaited.keys()) collect(pid, calls);
}

/** False while it lives, and for a child that nobody awaits here. */
function collect(pid: number, calls: PosixCalls): boolean {
  const tell = awaited.get(pid);
  const status = tell === undefined ? null : calls.statusOf(pid);
  if (tell === undefined || status === null) return false;
  awaited.delete(pid);
  if (awaited.size === 0) {
    rest?.abort();
    rest = null;
  }
  // wait(2): the low seven bits are the signal.
  tell({ code: (status >> 8) & 0xff, signalNumber: status & 0x7f });
  return true;
}
