import type { Clock } from "agent-tty/kit";

/**
 * Lets one caller pass each `intervalMs` milliseconds, in the order of their calls. The wait rejects with the signal's reason;
 * the turn of that caller is lost then.
 */
export function createPace(clock: Clock, intervalMs: number): (signal: AbortSignal) => Promise<void> {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    const nowMs = clock.monotonicMs();
    const turnMs = Math.max(nowMs, nextMs);
    nextMs = turnMs + intervalMs;
    if (turnMs > nowMs) await clock.sleep(turnMs - nowMs, signal);
  };
}
