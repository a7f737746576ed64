import type { Clock } from "agent-tty/kit";

/** How long each stage of a step took, in milliseconds, in the order in which the stages began. */
export type StageTimes = Readonly<Record<string, number>>;

export interface StageTimer {
  /** Ends the current stage and begins this one. The times of a stage that is entered again add up. */
  enter(stage: string): void;
  /** Ends the last stage and returns the times. */
  finish(): StageTimes;
}

/** Starts a timer for consecutive stages, in milliseconds; entering a stage ends the previous one. */
export function startStageTimer(clock: Pick<Clock, "monotonicMs">): StageTimer {
  const times: Record<string, number> = {};
  let current: { stage: string; sinceMs: number } | null = null;
  const end = (): void => {
    if (current !== null)
      times[current.stage] = (times[current.stage] ?? 0) + Math.round(clock.monotonicMs() - current.sinceMs);
    current = null;
  };
  return {
    enter: (stage) => {
      end();
      current = { stage, sinceMs: clock.monotonicMs() };
    },
    finish: () => {
      end();
      return times;
    },
  };
}
