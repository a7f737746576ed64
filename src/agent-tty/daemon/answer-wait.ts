import type { Session } from "../host/index.ts";
import { type Clock, raceSignal, startDeadline } from "../kit/index.ts";
import type { WaitReply } from "../protocol/index.ts";
import type { WaitOptions } from "../run/index.ts";

/** A19. The Session judges the condition's parts; an unknown one is refused there. */
export function answerWait(
  session: Session,
  condition: Readonly<Record<string, string | number | boolean>>,
  options: WaitOptions,
): Promise<WaitReply> {
  return session.wait(condition, options);
}

export function awaitExit(session: Session, clock: Clock, options: WaitOptions): Promise<WaitReply> {
  return within(session, clock, options, () => session.exited);
}

/** Nothing was added to the Event Log for `idleMs`. */
export function awaitIdle(
  session: Session,
  clock: Clock,
  options: WaitOptions & { idleMs: number },
): Promise<WaitReply> {
  return within(session, clock, options, async (signal) => {
    for (let seen = -1; seen !== session.lastSeq();) {
      seen = session.lastSeq();
      await clock.sleep(options.idleMs, signal);
    }
  });
}

async function within(
  session: Session,
  clock: Clock,
  options: WaitOptions,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<WaitReply> {
  using deadline = startDeadline(clock, "the wait", options.callerTimeoutMs, options.signal);
  try {
    await raceSignal(work(deadline.signal), deadline.signal);
  } catch (error) {
    if (options.signal?.aborted === true || !deadline.signal.aborted) throw error;
    const { seq, screenHash, visibleLines } = await session.snapshot();
    return {
      type: "timed-out",
      capturedAtSeq: seq,
      screenHash,
      visibleText: visibleLines.join("\n").trimEnd(),
    };
  }
  const { seq, screenHash } = await session.snapshot();
  return { type: "matched", matchedText: null, capturedAtSeq: seq, screenHash };
}
