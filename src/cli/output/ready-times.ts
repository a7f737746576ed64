import { median } from "../../trust/index.ts";
import type { BatchEvent, BatchObserver } from "../../triage/index.ts";
import { formatDuration } from "./format-duration.ts";

/** The times that each stage of getting a checkout ready took, over the Triage Runs of one batch. */
export interface ReadyTimes {
  observe: BatchObserver;
  /** Returns one line with the median of each stage; no line if no checkout became ready. */
  lines(): string[];
}

/**
 * Returns a collector of the times that the stages of getting a Coder workspace and checkout ready took, in milliseconds. It
 * reports the median of each stage.
 */
export function createReadyTimes(): ReadyTimes {
  const stages = new Map<string, number[]>();
  let checkouts = 0;
  const note = (event: BatchEvent): void => {
    if (event.type !== "workspace-ready" && event.type !== "checkout-ready") return;
    if (event.type === "checkout-ready") checkouts += 1;
    for (const [stage, ms] of Object.entries(event.stages))
      stages.set(stage, [...(stages.get(stage) ?? []), ms]);
  };
  return {
    observe: note,
    lines: () => {
      if (checkouts === 0) return [];
      const medians = [...stages].map(([stage, times]) => [stage, median(times) ?? 0] as const);
      const wholeMs = medians.reduce((sum, [, ms]) => sum + ms, 0);
      const parts = medians.map(([stage, ms]) => `${stage} ${formatDuration(ms)}`);
      return [
        `a ready checkout took ${formatDuration(wholeMs)} (median of ${checkouts}): ${parts.join(", ")}`,
      ];
    },
  };
}
