import type { ControlKind } from "../run-record.ts";
import type { Run, VerificationStage } from "./verification-stage.ts";

export interface SideBySide {
  /** Runs at a time, at most one for each desk. */
  readonly atATime: number;
  /** Asked before each run; one that is not needed stays pending. */
  readonly isNeeded: (run: Run) => boolean;
  /** Takes note of a control that cannot be made; null: then the runs end. */
  readonly onImpossible: ((kind: ControlKind) => void) | null;
}

/**
 * Makes the pending runs in their order, each at a desk that is free, and takes them out of the list. False: the runs have
 * ended, with the Session or because one cannot be made. Rejects as a run does, when all others have ended.
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
