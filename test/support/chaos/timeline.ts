import { systemClock } from "agent-tty/kit";

/** The events of one schedule, from all sides, in one order. */
export interface Timeline {
  note(who: string, what: string): void;
  lines(): string[];
}

export function createTimeline(): Timeline {
  const startedMs = systemClock.monotonicMs();
  const lines: string[] = [];
  return {
    note: (who, what) => {
      const atMs = Math.round(systemClock.monotonicMs() - startedMs);
      lines.push(`${String(atMs).padStart(6)} ms  ${who.padEnd(9)} ${what}`);
    },
    lines: () => lines,
  };
}
