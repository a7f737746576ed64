import { constants } from "node:os";
import type { Session, SessionExit } from "agent-tty";
import { raceSignal } from "agent-tty/kit";

export interface TerminalEvents {
  output(): void;
  exited(code: number): void;
}

export interface TerminalWatch extends AsyncDisposable {
  /** Resolves when the program has exited and that has been told, or when the watch is disposed. */
  readonly ended: Promise<void>;
}

/** A wait must have a limit; when it passes, the next one begins. */
const OUTPUT_WAIT_MS = 3_600_000;

/** Tells of output beyond a sequence as it is rendered, and of the end. */
export function watchTerminal(session: Session, afterSeq: number, events: TerminalEvents): TerminalWatch {
  const abort = new AbortController();
  const exited = raceSignal(session.exited, abort.signal).then(
    (exit) => events.exited(exitCodeOf(exit)),
    () => undefined,
  );
  const reading = tellOutput(session, afterSeq, events, abort.signal);
  const ended = Promise.all([exited, reading]).then(() => undefined);
  return {
    ended,
    [Symbol.asyncDispose]: async () => {
      abort.abort(new Error("nobody watches this terminal any more"));
      await ended;
    },
  };
}

async function tellOutput(
  session: Session,
  fromSeq: number,
  events: TerminalEvents,
  signal: AbortSignal,
): Promise<void> {
  let afterSeq = fromSeq;
  while (!signal.aborted) {
    const look = await session
      .wait({ afterSeq, screenStableMs: 0 }, { callerTimeoutMs: OUTPUT_WAIT_MS, signal })
      .catch(() => null);
    if (look === null || look.type === "interrupted") return;
    if (look.type === "matched") events.output();
    afterSeq = Math.max(afterSeq, look.capturedAtSeq);
  }
}

/** As a shell tells it: 128 and the number of the signal. */
export function exitCodeOf(exit: SessionExit): number {
  if (exit.type === "code") return exit.code;
  const numbers: Readonly<Record<string, number>> = constants.signals;
  return 128 + (numbers[exit.signal] ?? 0);
}
