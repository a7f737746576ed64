import { ticks } from "d3-array";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { routeHash } from "../model/index.ts";
import { linearScale, type PlotSize } from "../plots/index.ts";
import { barName } from "./bar-name.ts";
import { barAfterKey } from "./gantt-keys.ts";
import type { GanttBar, GanttPlan } from "./gantt-plan.ts";

/** The units of the time axis, each with the length of the axis above which it is used, in milliseconds. */
const UNITS = [
  { name: "h", ms: 3_600_000, fromMs: 5 * 3_600_000 },
  { name: "min", ms: 60_000, fromMs: 5 * 60_000 },
  { name: "s", ms: 1_000, fromMs: 0 },
] as const;
const [BAR_PX, AXIS_PX, LEFT_PX, NAMED_PX] = [18, 22, 34, 44];
/** The width of the ring around a focused bar; it stays within the gap between two rows. */
const RING_PX = 2;
const ROW_PX = 24;

/** Returns the height of the drawing, in pixels. */
export function ganttHeightPx(slots: number): number {
  return slots * ROW_PX + AXIS_PX;
}

/**
 * Renders the bars of a batch as links to their Triage Runs (B10, B12). Tab reaches one bar; the arrow keys, Home and End move to
 * the others.
 */
export function GanttBars({ plan, width }: { plan: GanttPlan } & PlotSize): JSX.Element {
  const { fromMs, toMs, bars, slots } = plan;
  const unit = UNITS.find((one) => toMs - fromMs > one.fromMs) ?? UNITS[2];
  const length = Math.max(1, toMs - fromMs) / unit.ms;
  const x = linearScale([0, length], [LEFT_PX, width - 24]);
  const at = (ms: number): number => x((Math.min(ms, toMs) - fromMs) / unit.ms);
  const [reachedId, setReachedId] = useState<string | null>(null);
  const reached = bars.find((bar) => idOf(bar) === reachedId) ?? bars[0];
  const move = (event: KeyboardEvent): void => {
    if (reached === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const next = barAfterKey(bars, reached, event.key);
    if (next === null) return;
    event.preventDefault();
    focusBar(event.currentTarget, bars.indexOf(next));
  };
  return (
    <>
      {ticks(0, length, Math.max(2, width / 110)).map((units) => (
        <g key={units} class="axis" aria-hidden="true" transform={`translate(${x(units)},0)`}>
          <line y2={slots * ROW_PX} />
          <text y={slots * ROW_PX + 15} text-anchor="middle">
            {units} {unit.name}
          </text>
        </g>
      ))}
      {Array.from({ length: slots }, (_, slot) => (
        <text key={slot} class="name" aria-hidden="true" x={4} y={slot * ROW_PX + 16}>
          {slot + 1}
        </text>
      ))}
      <g onKeyDown={move}>
        {bars.map((bar) => (
          <Bar
            key={idOf(bar)}
            bar={bar}
            at={at}
            isReached={bar === reached}
            onFocus={() => setReachedId(idOf(bar))}
          />
        ))}
      </g>
    </>
  );
}

interface BarProps {
  bar: GanttBar;
  /** Returns the horizontal position of a time, in pixels. */
  at: (ms: number) => number;
  isReached: boolean;
  onFocus: () => void;
}

function Bar({ bar, at, isReached, onFocus }: BarProps): JSX.Element {
  const y = bar.slot * ROW_PX + (ROW_PX - BAR_PX) / 2;
  const widthPx = Math.max(2, at(bar.toMs) - at(bar.fromMs) - 1);
  const name = barName(bar);
  return (
    <a
      class={bar.isCritical ? "gantt-bar critical" : "gantt-bar"}
      href={routeHash({ view: "run", id: idOf(bar), tab: "terminal" })}
      tabindex={isReached ? 0 : -1}
      aria-label={name}
      onFocus={onFocus}
    >
      <title>{name}</title>
      {bar.phases.map(({ phase, fromMs, toMs }) => (
        <rect
          key={phase}
          class={`gantt-${phase}`}
          x={at(fromMs)}
          y={y}
          width={Math.max(0.5, at(toMs) - at(fromMs))}
          height={BAR_PX}
        />
      ))}
      <rect class="gantt-frame" x={at(bar.fromMs)} y={y} width={widthPx} height={BAR_PX} />
      <rect
        class="gantt-focus"
        x={at(bar.fromMs) - RING_PX}
        y={y - RING_PX}
        width={widthPx + 2 * RING_PX}
        height={BAR_PX + 2 * RING_PX}
      />
      {widthPx < NAMED_PX ? null : (
        <text class="gantt-name" x={at(bar.fromMs) + 4} y={y + 13}>
          #{bar.entry.run.number}
        </text>
      )}
    </a>
  );
}

function idOf(bar: GanttBar): string {
  return bar.entry.run.id;
}

function focusBar(group: EventTarget | null, index: number): void {
  if (group instanceof SVGElement) group.querySelectorAll<SVGAElement>("a")[index]?.focus();
}
