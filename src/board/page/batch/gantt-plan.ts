import type { BatchTimelineDocument } from "../../api/index.ts";

type Entry = BatchTimelineDocument["runs"][number];

export interface GanttBar {
  entry: Entry;
  /** The row of the bar; 0 is the topmost. */
  slot: number;
  fromMs: number;
  toMs: number;
  phases: { phase: string; fromMs: number; toMs: number }[];
  /** Whether the bar is on the critical path, which consists of the last run to end and the runs before it in its slot. */
  isCritical: boolean;
}

export interface GanttPlan {
  slots: number;
  fromMs: number;
  toMs: number;
  bars: GanttBar[];
  /** The critical path, the first run first. */
  critical: GanttBar[];
}

/**
 * Returns the bars of a batch's runs (B10). A run takes a slot from its first phase after `selected` until it is settled; it gets
 * the slot that was freed last, so that the gaps between the runs of a slot are as short as they were in the batch.
 */
export function planGantt(runs: readonly Entry[], nowMs: number): GanttPlan {
  const freeAtMs: number[] = [];
  const bars = runs.map((entry) => barOf(entry, nowMs)).sort((one, other) => one.fromMs - other.fromMs);
  for (const bar of bars) {
    bar.slot = freedLast(freeAtMs, bar.fromMs) ?? freeAtMs.length;
    freeAtMs[bar.slot] = bar.toMs;
  }
  const critical = criticalPath(bars);
  for (const bar of critical) bar.isCritical = true;
  return {
    slots: freeAtMs.length,
    fromMs: Math.min(...bars.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...bars.map(({ toMs }) => toMs)),
    bars,
    critical,
  };
}

function barOf(entry: Entry, nowMs: number): GanttBar {
  const { run, history } = entry;
  const endMs = run.settledAtMs ?? run.parentLost?.lastSeenAtMs ?? Math.max(nowMs, run.startedAtMs);
  const phases = history
    .map(({ phase, atMs }, index) => ({ phase, fromMs: atMs, toMs: history[index + 1]?.atMs ?? endMs }))
    .filter(({ phase }) => phase !== "selected" && phase !== "settled");
  return {
    entry,
    slot: 0,
    fromMs: phases[0]?.fromMs ?? run.startedAtMs,
    toMs: endMs,
    phases,
    isCritical: false,
  };
}

/** Returns the slot that was freed last before a time; null when no slot is free. */
function freedLast(freeAtMs: readonly number[], atMs: number): number | null {
  let found: number | null = null;
  for (const [slot, freeMs] of freeAtMs.entries())
    if (freeMs <= atMs && (found === null || freeMs > (freeAtMs[found] ?? 0))) found = slot;
  return found;
}

function criticalPath(bars: readonly GanttBar[]): GanttBar[] {
  const last = bars.reduce<GanttBar | null>(
    (latest, bar) => (latest === null || bar.toMs > latest.toMs ? bar : latest),
    null,
  );
  return last === null ? [] : bars.filter(({ slot, fromMs }) => slot === last.slot && fromMs <= last.fromMs);
}
