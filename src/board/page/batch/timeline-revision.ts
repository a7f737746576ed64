import type { BatchDocument, RunRowDocument } from "../../api/index.ts";

/**
 * Returns a text that changes when the time line of a batch must be drawn again: after a phase, an end, the death of the parent,
 * or a gap in the changes.
 */
export function timelineRevision(
  runId: string,
  batch: BatchDocument | undefined,
  changed: Iterable<RunRowDocument>,
  gaps: number,
): string {
  const runs = [...changed]
    .filter((run) => run.runId === runId)
    .map(({ id, phase, settledAtMs, parentLost }) => [id, phase, settledAtMs, parentLost]);
  return JSON.stringify([runId, gaps, batch?.totals, batch?.parent.state, runs]);
}
