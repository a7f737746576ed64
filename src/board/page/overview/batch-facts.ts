import type { BatchDocument } from "../../api/index.ts";

/** The keys of a batch's totals, in display order. */
export const ends = ["applied", "requeued", "skipped", "locked", "failed", "live"] as const;

export function finishedRuns({ totals }: BatchDocument): number {
  return totals.applied + totals.skipped + totals.locked + totals.requeued + totals.failed;
}

/**
 * Returns whether the batch is in progress. A batch whose parent was killed never finishes, but is not in progress.
 */
export function isUnderWay({ finishedAtMs, parent }: BatchDocument): boolean {
  return finishedAtMs === null && parent.state !== "dead";
}
