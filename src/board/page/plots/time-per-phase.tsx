import { max, min } from "d3-array";
import type { JSX } from "preact";
import type { StatisticsDocument } from "../../api/index.ts";
import { formatDuration } from "../model/index.ts";
import { BottomAxis } from "./axis.tsx";
import { Figure, type PlotSize } from "./figure.tsx";
import { bands, logScale } from "./scale.ts";

type Phases = StatisticsDocument["phases"];

const MARGIN = { top: 4, right: 16, bottom: 24, left: 84 };
const TICKS: readonly (readonly [number, string])[] = [
  [100, "0.1 s"],
  [1_000, "1 s"],
  [10_000, "10 s"],
  [60_000, "1 min"],
  [600_000, "10 min"],
  [3_600_000, "1 h"],
];
const LEGEND = [
  { name: "middle half", className: "box-quartiles" },
  { name: "median", className: "box-median" },
  { name: "up to 95 %", className: "box-whisker" },
] as const;
/** Log scale: clamp zeros. */
const SHORTEST_MS = 50;

/** Renders the quartiles of the time per phase. */
export function TimePerPhase({ phases }: { phases: Phases }): JSX.Element {
  const longest = [...phases].sort((a, b) => b.p50Ms - a.p50Ms)[0];
  return (
    <Figure
      title="Time per phase"
      description={
        longest === undefined
          ? "No phases."
          : `Quartiles on a logarithmic scale; ${longest.phase} takes longest, ${formatDuration(longest.p50Ms)} in the median.`
      }
      scale="How long Triage Runs were in each phase; logarithmic"
      emptyText="No phase has ended in this time."
      legend={LEGEND}
      heightPx={Math.max(120, phases.length * 30 + MARGIN.top + MARGIN.bottom)}
      table={{
        head: ["Phase", "Runs", "25 %", "Median", "75 %", "95 %"],
        rows: phases.map(({ phase, count, p25Ms, p50Ms, p75Ms, p95Ms }) => [
          phase,
          String(count),
          ...[p25Ms, p50Ms, p75Ms, p95Ms].map(formatDuration),
        ]),
      }}
      draw={(size) => <Boxes phases={phases} {...size} />}
    />
  );
}

function Boxes({ phases, width, height }: { phases: Phases } & PlotSize): JSX.Element {
  const y = bands(phases.length, [MARGIN.top, height - MARGIN.bottom], 0.35);
  const from = Math.max(SHORTEST_MS, min(phases, ({ p25Ms }) => p25Ms) ?? SHORTEST_MS);
  const to = Math.max(from * 10, max(phases, ({ p95Ms }) => p95Ms) ?? 1_000);
  const x = logScale([from / 1.5, to * 1.3], [MARGIN.left, width - MARGIN.right]);
  const middle = (index: number): number => y.at(index) + y.width / 2;
  return (
    <>
      <BottomAxis
        y={height - MARGIN.bottom}
        lineTo={MARGIN.top}
        ticks={TICKS.filter(([ms]) => ms > from / 1.5 && ms < to * 1.3).map(([ms, text]) => ({
          at: x(ms),
          text,
        }))}
      />
      {phases.map(({ phase, count, p25Ms, p50Ms, p75Ms, p95Ms }, index) => (
        <g key={phase} class="box">
          <title>
            {`${phase}, ${count} runs: half take ${formatDuration(p25Ms)} to ${formatDuration(p75Ms)}, median ${formatDuration(p50Ms)}, 95 % at most ${formatDuration(p95Ms)}`}
          </title>
          <text class="name" x={MARGIN.left - 10} y={middle(index)} dy="0.32em" text-anchor="end">
            {phase}
          </text>
          <line class="whisker" x1={x(p75Ms || 1)} x2={x(p95Ms || 1)} y1={middle(index)} y2={middle(index)} />
          <rect
            class="quartiles"
            x={x(p25Ms || 1)}
            width={Math.max(3, x(p75Ms || 1) - x(p25Ms || 1))}
            y={y.at(index)}
            height={y.width}
            rx={2}
          />
          <line
            class="median"
            x1={x(p50Ms || 1)}
            x2={x(p50Ms || 1)}
            y1={y.at(index) - 2}
            y2={y.at(index) + y.width + 2}
          />
        </g>
      ))}
    </>
  );
}
