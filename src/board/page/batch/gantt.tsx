import { ticks } from "d3-array";
import type { JSX } from "preact";
import type { BatchTimelineDocument } from "../../api/index.ts";
import { formatDuration, label, resultOf } from "../model/index.ts";
import { Figure, linearScale, type PlotSize } from "../plots/index.ts";
import { type GanttBar, type GanttPlan, planGantt } from "./gantt-plan.ts";

const PHASES = ["creating", "preparing", "triaging", "verifying", "applying", "destroying"];
const [BAR_PX, ROW_PX, AXIS_PX, LEFT_PX] = [18, 24, 22, 34];
const MINUTE_MS = 60_000;

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
        heightPx={slots * ROW_PX + AXIS_PX}
        table={{
          head: ["Triage Run", "Slot", "Began after", "Took", "Longest phase", "Outcome", "Critical path"],
          rows: bars.map((bar) => rowOf(bar, fromMs)),
        }}
        draw={(size) => <Bars plan={plan} {...size} />}
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
    label(resultOf(run) ?? run.displayStatus),
    isCritical ? "yes" : "",
  ];
}

function Bars({ plan, width }: { plan: GanttPlan } & PlotSize): JSX.Element {
  const { fromMs, toMs, bars, slots } = plan;
  const unitMs = toMs - fromMs > 5 * MINUTE_MS ? MINUTE_MS : 1_000;
  const length = Math.max(1, toMs - fromMs) / unitMs;
  const x = linearScale([0, length], [LEFT_PX, width - 24]);
  const at = (ms: number): number => x((Math.min(ms, toMs) - fromMs) / unitMs);
  return (
    <>
      {ticks(0, length, Math.max(2, width / 110)).map((units) => (
        <g key={units} class="axis" transform={`translate(${x(units)},0)`}>
          <line y2={slots * ROW_PX} />
          <text y={slots * ROW_PX + 15} text-anchor="middle">
            {units} {unitMs === MINUTE_MS ? "min" : "s"}
          </text>
        </g>
      ))}
      {Array.from({ length: slots }, (_, slot) => (
        <text key={slot} class="name" x={4} y={slot * ROW_PX + 16}>
          {slot + 1}
        </text>
      ))}
      {bars.map((bar) => {
        const y = bar.slot * ROW_PX + 3;
        const widthPx = Math.max(2, at(bar.toMs) - at(bar.fromMs) - 1);
        return (
          <g key={bar.entry.run.id} class={bar.isCritical ? "gantt-bar critical" : "gantt-bar"}>
            <title>{rowOf(bar, fromMs).join(", ")}</title>
            {bar.phases.map(({ phase, fromMs: begunMs, toMs: endedMs }) => (
              <rect
                key={phase}
                class={`gantt-${phase}`}
                x={at(begunMs)}
                y={y}
                width={Math.max(0.5, at(endedMs) - at(begunMs))}
                height={BAR_PX}
              />
            ))}
            <rect class="gantt-frame" x={at(bar.fromMs)} y={y} width={widthPx} height={BAR_PX} />
            {widthPx < 44 ? null : (
              <text class="gantt-name" x={at(bar.fromMs) + 4} y={y + 13}>
                #{bar.entry.run.number}
              </text>
            )}
          </g>
        );
      })}
    </>
  );
}
