import type { Clock } from "agent-tty/kit";

/**
 * Returns a wait that lets one caller pass every `intervalMs` milliseconds, in the order of the calls. The wait rejects with the
 * signal's reason; that caller's turn is then lost.
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
