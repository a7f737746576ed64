import { STATUS_POLICY } from "../home/index.ts";
import type { Session } from "../host/index.ts";
import { type Clock, MAX_TIMER_MS, raceSignal, resolvesWithin, startDeadline } from "../kit/index.ts";
import type { Call, WaitReply } from "../protocol/index.ts";
import type { WaitOptions } from "../run/index.ts";

type Awaited = Pick<Extract<Call, { method: "wait" }>, "condition" | "idleMs" | "exit">;

/** Answers the call of a Render Wait (A19). The Session checks the parts of the condition and rejects unknown ones. */
export async function answerWait(
  session: Session,
  awaited: Awaited,
  options: WaitOptions & { clock: Clock },
): Promise<WaitReply> {
  const { clock, callerTimeoutMs, signal } = options;
  if (!awaited.exit && awaited.idleMs === null) return session.wait(awaited.condition, options);
  using deadline = startDeadline(clock, "the wait", callerTimeoutMs, signal);
  try {
    return await allOf(session, awaited, clock, deadline.signal);
  } catch (error) {
    if (signal?.aborted === true || !deadline.signal.aborted) throw error;
    const { seq, screenHash, visibleLines } = await session.snapshot();
    const visibleText = visibleLines.join("\n").trimEnd();
    return { type: "timed-out", capturedAtSeq: seq, screenHash, visibleText };
  }
}

/**
 * Waits for the exit first: nothing changes after it, so there is no silence to wait for. After any event during the silence, the
 * condition is checked again.
 */
async function allOf(
  session: Session,
  { condition, idleMs, exit }: Awaited,
  clock: Clock,
  signal: AbortSignal,
): Promise<WaitReply> {
  if (exit) await raceSignal(session.exited, signal);
  for (;;) {
    const reply = await shown(session, condition, signal);
    if (reply.type !== "matched" || idleMs === null || STATUS_POLICY[session.status()].terminal) return reply;
    const seen = session.lastSeq();
    if (await resolvesWithin(session.exited, idleMs, clock, signal)) return shown(session, condition, signal);
    if (session.lastSeq() === seen) return reply;
  }
}

async function shown(
  session: Session,
  condition: Awaited["condition"],
  signal: AbortSignal,
): Promise<WaitReply> {
  if (Object.keys(condition).length > 0)
    return session.wait(condition, { callerTimeoutMs: MAX_TIMER_MS, signal });
  const { seq, screenHash } = await session.snapshot();
  return { type: "matched", matchedText: null, capturedAtSeq: seq, screenHash };
}
