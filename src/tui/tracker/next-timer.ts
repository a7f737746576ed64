import { settleTurn } from "./apply-rule.ts";
import { recover, recoveryDueMs } from "./recovery.ts";
import type { TrackerSettings } from "./settings.ts";
import type { TurnMemory } from "./turn-memory.ts";

export interface TurnTimer {
  dueMs: number;
  fire(memory: TurnMemory): TurnMemory;
}

/** Returns the next timer, or null if none is armed. If two are due at the same time, it is the more specific one. */
export function nextTimer(memory: TurnMemory, settings: TrackerSettings): TurnTimer | null {
  const timers = [
    timer(memory.settle?.dueMs ?? null, settleTurn),
    timer(repaintDueMs(memory, settings), expectRepaint),
    timer(recoveryDueMs(memory, settings), recover),
  ].filter((one) => one !== null);
  return timers.toSorted((a, b) => a.dueMs - b.dueMs)[0] ?? null;
}

function timer(dueMs: number | null, fire: TurnTimer["fire"]): TurnTimer | null {
  return dueMs === null ? null : { dueMs, fire };
}

function repaintDueMs({ anchor }: TurnMemory, settings: TrackerSettings): number | null {
  return anchor?.submitted?.isFresh === true ? anchor.sinceMs + settings.repaintMs : null;
}

/** Returns the memory in which the screen is no longer the one before the submit. */
function expectRepaint(memory: TurnMemory): TurnMemory {
  const { anchor } = memory;
  if (anchor === null || anchor.submitted === null) return memory;
  return { ...memory, anchor: { ...anchor, submitted: { ...anchor.submitted, isFresh: false } } };
}
