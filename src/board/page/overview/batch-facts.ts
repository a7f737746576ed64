import type { BatchDocument } from "../../api/index.ts";

/** In the order in which they are drawn. */
export const ends = ["applied", "requeued", "skipped", "locked", "failed", "live"] as const;

export function finishedRuns({ totals }: BatchDocument): number {
  return totals.applied + totals.skipped + totals.locked + totals.requeued + totals.failed;
}

/** A batch whose parent was killed never finishes, and is not under way either. */
export function isUnderWay({ finishedAtMs, parent }: BatchDocument): boolean {
  return finishedAtMs === null && parent.state !== "dead";
}
