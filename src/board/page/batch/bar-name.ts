import { formatDuration, label, resultOf, shownStatus, words } from "../model/index.ts";
import type { GanttBar } from "./gantt-plan.ts";

/** Returns the accessible name of a bar: the issue, its phase or result, the duration and the slot. */
export function barName({ entry: { run }, slot, fromMs, toMs, isCritical }: GanttBar): string {
  const result = resultOf(run);
  const status = result === null ? `${words(run.phase)}, ${label(shownStatus(run))}` : label(result);
  return [
    `${run.repo} #${run.number}${run.title === null ? "" : ` ${run.title}`}: ${status}`,
    `${result === null ? "for" : "took"} ${formatDuration(toMs - fromMs)}`,
    `slot ${slot + 1}`,
    ...(isCritical ? ["on the critical path"] : []),
  ].join(", ");
}
