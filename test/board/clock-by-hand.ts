import type { PageClock } from "../../src/board/page/browser/clock.ts";

/** A clock that a test moves by hand. */
export function clockByHand(startMs = 0): PageClock & { advance(ms: number): void; soonestMs(): number } {
  let nowMs = startMs;
  let timers: { atMs: number; action: () => void }[] = [];
  return {
    nowMs: () => nowMs,
    schedule: (durationMs, action) => {
      const timer = { atMs: nowMs + durationMs, action };
      timers.push(timer);
      return () => void (timers = timers.filter((one) => one !== timer));
    },
    soonestMs: () => Math.min(...timers.map(({ atMs }) => atMs)) - nowMs,
    advance: (ms) => {
      nowMs += ms;
      const due = timers.filter(({ atMs }) => atMs <= nowMs);
      timers = timers.filter(({ atMs }) => atMs > nowMs);
      for (const { action } of due) action();
    },
  };
}
