import type { Clock } from "../kit/index.ts";
import type { PosixCalls } from "./posix/posix-calls.ts";

/** How a child ended; `code` is valid only if `signalNumber` is 0. */
export interface ChildEnd {
  code: number;
  signalNumber: number;
}

/** How often children are checked as a safety net: normally the kernel signals every exit, including simultaneous ones. */
const LOOK_EVERY_MS = 10_000;

/** Children of this process, by pid, that Node does not know, so that Node never collects their exit codes. */
const awaited = new Map<number, (end: ChildEnd) => void>();
let isListening = false;
/** Ends the sleep between two checks, which keeps this process alive. */
let rest: AbortController | null = null;

/** Resolves with the end of a child of this process. Until then this process is kept alive. */
export function awaitEnd(pid: number, calls: PosixCalls, clock: Clock): Promise<ChildEnd> {
  if (!isListening) process.on("SIGCHLD", () => collectEnded(calls));
  isListening = true;
  const end = new Promise<ChildEnd>((resolve) => awaited.set(pid, resolve));
  if (rest === null) void lookUntilAllEnded(calls, clock);
  // The child may have ended before the listener was added.
  collect(pid, calls);
  return end;
}

async function lookUntilAllEnded(calls: PosixCalls, clock: Clock): Promise<void> {
  const { signal } = (rest = new AbortController());
  // A child may be awaited in the same turn in which the last one ended: a new loop waits for that child.
  while (!signal.aborted) {
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    collectAll(calls);
  }
}

/** Collects every awaited child that has ended. Needs one system call per ended child, however many children live. */
function collectEnded(calls: PosixCalls): void {
  for (let pid = calls.endedChild(); pid !== null; pid = calls.endedChild())
    // A child that Node has not collected yet hides the ones after it.
    if (!collect(pid, calls)) return collectAll(calls);
}

function collectAll(calls: PosixCalls): void {
  for (const pid of awaited.keys()) collect(pid, calls);
}

/** Collects a child if it has ended. Returns false while the child lives, and for a child that is not awaited here. */
function collect(pid: number, calls: PosixCalls): boolean {
  const tell = awaited.get(pid);
  const status = tell === undefined ? null : calls.statusOf(pid);
  if (tell === undefined || status === null) return false;
  awaited.delete(pid);
  if (awaited.size === 0) {
    rest?.abort();
    rest = null;
  }
  // wait(2): the low seven bits contain the signal.
  tell({ code: (status >> 8) & 0xff, signalNumber: status & 0x7f });
  return true;
}
