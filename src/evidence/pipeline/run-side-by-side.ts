import type { ControlKind } from "../run-record.ts";
import type { Run, VerificationStage } from "./verification-stage.ts";

export interface SideBySide {
  /** The number of runs that take place at a time, at most one per desk. */
  readonly atATime: number;
  /** Called before each run; a run that is not needed stays pending. */
  readonly isNeeded: (run: Run) => boolean;
  /** Called with a control that cannot be made; null: such a control ends the runs. */
  readonly onImpossible: ((kind: ControlKind) => void) | null;
}

/**
 * Makes the pending runs in order, each at a free desk, and removes them from the list. Returns false if the runs have ended,
 * because the Session or the time has ended or a run cannot be made. Rejects as a run does, after all others have ended.
 */
export async function runSideBySide(
  stage: Pick<VerificationStage, "run" | "hasEnded">,
  pending: Run[],
  { atATime, isNeeded, onImpossible }: SideBySide,
): Promise<boolean> {
  const running = new Map<number, Promise<boolean>>();
  const take = (): Run | null => {
    const index = pending.findIndex(isNeeded);
    return index === -1 ? null : (pending.splice(index, 1)[0] ?? null);
  };
  const start = async (run: Run, desk: number): Promise<boolean> => {
    try {
      if (await stage.run(run, desk)) return true;
      if (run.kind === "real" || onImpossible === null || stage.hasEnded) return false;
      onImpossible(run.kind);
      return true;
    } finally {
      running.delete(desk);
    }
  };
  const desks = Array.from({ length: atATime }, (_, desk) => desk);
  const fill = (): void => {
    for (const desk of desks.filter((one) => !running.has(one))) {
      const run = take();
      if (run !== null) running.set(desk, start(run, desk));
    }
  };
  try {
    fill();
    while (running.size > 0) {
      const isOn = await Promise.race(running.values());
      if (!isOn) return false;
      fill();
    }
    return true;
  } finally {
    await Promise.allSettled(running.values());
  }
}
