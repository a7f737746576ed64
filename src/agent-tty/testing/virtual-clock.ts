import type { Clock } from "../kit/index.ts";

interface Timer {
  dueMs: number;
  order: number;
  action: () => void;
}

/** A clock for tests and replay whose time passes only in `advance`. */
export interface VirtualClock extends Clock {
  /** Moves time forward and runs every timer that falls due, in order. Promise callbacks run in between. */
  advance(durationMs: number): Promise<void>;
}

/** Creates a clock whose time passes only when the test advances it. `startMs`: the epoch time at which it starts. */
export function createVirtualClock(startMs = Date.UTC(2026, 0, 1)): VirtualClock {
  let elapsedMs = 0;
  let order = 0;
  const timers = new Set<Timer>();
  const schedule = (durationMs: number, action: () => void): Disposable => {
    const timer = { dueMs: elapsedMs + durationMs, order: (order += 1), action };
    timers.add(timer);
    return { [Symbol.dispose]: () => void timers.delete(timer) };
  };
  return {
    nowMs: () => startMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    schedule,
    sleep: (durationMs, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const onAbort = (): void => {
          timer[Symbol.dispose]();
          reject(signal?.reason as Error);
        };
        const timer = schedule(durationMs, () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        });
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
    advance: async (durationMs) => {
      const untilMs = elapsedMs + durationMs;
      for (;;) {
        await flushPromises();
        const next = [...timers]
          .filter((timer) => timer.dueMs <= untilMs)
          .toSorted((a, b) => a.dueMs - b.dueMs || a.order - b.order)[0];
        if (next === undefined) break;
        elapsedMs = Math.max(elapsedMs, next.dueMs);
        timers.delete(next);
        next.action();
      }
      elapsedMs = untilMs;
      await flushPromises();
    },
  };
}

/** Waits one turn of the macrotask queue, so that every pending promise callback has run. */
function flushPromises(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
