import { type Clock, systemClock } from "agent-tty/kit";

export interface ExpiringClock {
  clock: Clock;
  /** Moves wall time alone: replies and second batches come minutes later at no cost. */
  advance: (durationMs: number) => void;
  /** Runs every timer of a length that is meant at once, as if its time had passed. Throws when there is none. */
  expire: (isMeant: (durationMs: number) => boolean) => void;
}

/**
 * The system's clock, whose deadlines come when a test has seen what they are to end: no test sits one out, and none comes
 * too early on a busy machine.
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
