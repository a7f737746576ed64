import { setTimeout as delay } from "node:timers/promises";

/** Time as a dependency: production uses `systemClock`, tests and replay a virtual one. */
export interface Clock {
  /** Wall-clock time in milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Monotonic milliseconds since an arbitrary origin; only differences mean anything. */
  monotonicMs(): number;
  /** Resolves after `durationMs`; rejects with the signal's reason when it aborts first. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
  /** Runs `action` once after `durationMs` unless disposed first. Never keeps the process alive by itself. */
  schedule(durationMs: number, action: () => void): Disposable;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (durationMs, signal) => {
    try {
      await delay(durationMs, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
  schedule: (durationMs, action) => {
    const timer = setTimeout(action, durationMs);
    timer.unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
