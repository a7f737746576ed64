import { setTimeout as delay } from "node:timers/promises";

/** Time as a dependency: production uses `systemClock`, tests and replay a virtual one. */
export interface Clock {
  /** Wall-clock time in milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Monotonic milliseconds since an arbitrary origin; only differences mean anything. */
  monotonicMs(): number;
  /** Resolves after `durationMs`; rejects with the signal's reason when it aborts first. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
  /**
   * Runs `action` once after `durationMs` unless disposed first. Never keeps the process alive by itself. If this process was
   * delayed, input that arrived in time is read first, so that it counts and may dispose the timer.
   */
  schedule(durationMs: number, action: () => void): Disposable;
}

/** A Node timer holds 31 bits: a longer one would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (durationMs, signal) => {
    try {
      for (let leftMs = durationMs; ; leftMs -= MAX_TIMER_MS) {
        await delay(Math.min(leftMs, MAX_TIMER_MS), undefined, signal === undefined ? {} : { signal });
        if (leftMs <= MAX_TIMER_MS) return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
  schedule: (durationMs, action) => {
    let timer: NodeJS.Timeout;
    let afterReads: NodeJS.Immediate | undefined;
    const arm = (leftMs: number): void => {
      const goOn = (): void => {
        if (leftMs > MAX_TIMER_MS) arm(leftMs - MAX_TIMER_MS);
        // Node runs the timers that are due before it reads.
        else afterReads = setImmediate(action);
      };
      timer = setTimeout(goOn, Math.min(leftMs, MAX_TIMER_MS)).unref();
    };
    arm(durationMs);
    return {
      [Symbol.dispose]: () => {
        // Node keeps one list of timers for each duration. It drops the empty list only if the last timer holds the process open.
        clearTimeout(timer.ref());
        clearImmediate(afterReads);
      },
    };
  },
};
