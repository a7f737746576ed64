import type { JSX } from "preact";
import type { BatchTimelineDocument } from "../../api/index.ts";
import { formatDuration, label, resultOf, shownStatus } from "../model/index.ts";
import { Figure } from "../plots/index.ts";
import { GanttBars, ganttHeightPx } from "./gantt-bars.tsx";
import { type GanttBar, planGantt } from "./gantt-plan.ts";

const PHASES = ["creating", "preparing", "triaging", "verifying", "applying", "destroying"];

/** Renders the slots of a batch over time, with coloured phases and the critical path (B10). */
export function Gantt({ timeline, nowMs }: { timeline: BatchTimelineDocument; nowMs: number }): JSX.Element {
  const plan = planGantt(timeline.runs, nowMs);
  const { critical, slots, fromMs, toMs, bars } = plan;
  const busyMs = critical.reduce((sum, bar) => sum + bar.toMs - bar.fromMs, 0);
  const path = critical.map(({ entry }) => `#${entry.run.number}`).join(" → ");
  const description = `${bars.length} Triage Runs in ${slots} slots. The critical path is ${path}: ${formatDuration(busyMs)} of ${formatDuration(toMs - fromMs)}.`;
  return (
    <>
      <Figure
        title="Slots over time"
        description={description}
        scale={`A row for each slot; time since the first Triage Run began. ${timeline.isTruncated ? "Only the first 1,000 Triage Runs." : ""}`}
        emptyText="This Triage Batch has no Triage Run."
        legend={[
          ...PHASES.map((name) => ({ name, className: `gantt-${name}` })),
          { name: "critical path", className: "gantt-critical" },
        ]}
        heightPx={ganttHeightPx(slots)}
        isInteractive
        table={{
          head: ["Triage Run", "Slot", "Began after", "Took", "Longest phase", "Outcome", "Critical path"],
          rows: bars.map((bar) => rowOf(bar, fromMs)),
        }}
        draw={(size) => <GanttBars plan={plan} {...size} />}
      />
      {critical.length === 0 ? null : <p class="muted gantt-path">{description}</p>}
    </>
  );
}

function rowOf(
  { entry: { run }, slot, fromMs, toMs, phases, isCritical }: GanttBar,
  startMs: number,
): string[] {
  const longest = phases.toSorted((one, other) => other.toMs - other.fromMs - (one.toMs - one.fromMs))[0];
  return [
    `${run.repo} #${run.number}`,
    String(slot + 1),
    formatDuration(fromMs - startMs),
    formatDuration(toMs - fromMs),
    longest === undefined ? "–" : `${longest.phase}, ${formatDuration(longest.toMs - longest.fromMs)}`,
    label(resultOf(run) ?? shownStatus(run)),
    isCritical ? "yes" : "",
  ];
}
