import type { GanttBar } from "./gantt-plan.ts";

/**
 * Returns the bar that a key moves to; null when the key moves nowhere. Left and right go to the previous and next bar of the
 * slot; up and down go to the bar of the neighbouring slot that was in progress when this bar began; Home and End go to the first
 * and the last bar.
 */
export function barAfterKey(bars: readonly GanttBar[], from: GanttBar, key: string): GanttBar | null {
  const inSlot = bars.filter(({ slot }) => slot === from.slot);
  switch (key) {
    case "ArrowLeft":
      return inSlot[inSlot.indexOf(from) - 1] ?? null;
    case "ArrowRight":
      return inSlot[inSlot.indexOf(from) + 1] ?? null;
    case "ArrowUp":
      return nearest(bars, from, from.slot - 1);
    case "ArrowDown":
      return nearest(bars, from, from.slot + 1);
    case "Home":
      return bars[0] ?? null;
    case "End":
      return bars.at(-1) ?? null;
    default:
      return null;
  }
}

/**
 * Returns the bar of a slot that was in progress when another bar began, otherwise the bar closest to that time; null: the slot has
 * no bar.
 */
function nearest(bars: readonly GanttBar[], { fromMs: atMs }: GanttBar, slot: number): GanttBar | null {
  const distanceMs = (bar: GanttBar): number => Math.max(0, bar.fromMs - atMs, atMs - bar.toMs);
  return bars
    .filter((bar) => bar.slot === slot)
    .reduce<GanttBar | null>(
      (best, bar) => (best === null || distanceMs(bar) < distanceMs(best) ? bar : best),
      null,
    );
}
