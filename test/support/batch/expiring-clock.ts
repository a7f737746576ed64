import { type Clock, systemClock } from "agent-tty/kit";

export interface ExpiringClock {
  clock: Clock;
  /** Moves only wall time forward, so that replies and second batches seem to come minutes later. */
  advance: (durationMs: number) => void;
  /** Runs every timer whose length matches at once, as if its time had passed. Throws if there is none. */
  expire: (isMeant: (durationMs: number) => boolean) => void;
}

/**
 * Returns the system's clock with timers that a test can end. A test expires a deadline when it has seen the work that the
 * deadline interrupts, so no test waits for one, and none comes too early on a busy machine.
 */
export function expiringClock(): ExpiringClock {
  const timers = new Set<{ durationMs: number; fire: () => void }>();
  let offsetMs = 0;
  return {
    clock: {
      ...systemClock,
      nowMs: () => systemClock.nowMs() + offsetMs,
      schedule: (durationMs, action) => {
        const dispose = (): void => {
          real[Symbol.dispose]();
          timers.delete(timer);
        };
        const fire = (): void => {
          dispose();
          action();
        };
        const timer = { durationMs, fire };
        const real = systemClock.schedule(durationMs, fire);
        timers.add(timer);
        return { [Symbol.dispose]: dispose };
      },
    },
    advance: (durationMs) => void (offsetMs += durationMs),
    expire: (isMeant) => {
      const meant = [...timers].filter(({ durationMs }) => isMeant(durationMs));
      if (meant.length === 0) throw new Error("no timer of that length is running");
      for (const { fire } of meant) fire();
    },
  };
}
