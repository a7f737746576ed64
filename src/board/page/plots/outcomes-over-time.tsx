import { max } from "d3-array";
import { scaleBand, scaleLinear } from "d3-scale";
import { stack } from "d3-shape";
import type { JSX } from "preact";
import type { StatisticsDocument } from "../../api/index.ts";
import { count, words } from "../model/index.ts";
import { BottomAxis, LeftAxis } from "./axis.tsx";
import { Figure, type PlotSize } from "./figure.tsx";
import { outcomeClass, outcomesInOrder } from "./outcome-order.ts";

type Days = StatisticsDocument["outcomes"];

const MARGIN = { top: 8, right: 4, bottom: 24, left: 34 };
const DAY_LABEL_PX = 56;
const WIDEST_BAR_PX = 64;

/** Renders the outcomes per day. */
export function OutcomesOverTime({ outcomes: days }: { outcomes: Days }): JSX.Element {
  const names = outcomesInOrder(days.flatMap(({ counts }) => Object.keys(counts)));
  const total = days.reduce((sum, day) => sum + totalOf(day), 0);
  return (
    <Figure
      title="Outcomes over time"
      description={`${count(total, "Triage Run")} on ${count(days.length, "day")}, by outcome.`}
      scale="Triage Runs by the day (UTC) on which they began"
      emptyText="No Triage Run has ended in this time."
      heightPx={240}
      legend={names.map((name) => ({ name: words(name), className: outcomeClass(name) }))}
      table={{
        head: ["Day", ...names.map(words)],
        rows: days.map(({ day, counts }) => [day, ...names.map((name) => String(counts[name] ?? 0))]),
      }}
      draw={(size) => <Bars days={everyDay(days)} names={names} {...size} />}
    />
  );
}

function Bars({
  days,
  names,
  width,
  height,
}: { days: Days; names: readonly string[] } & PlotSize): JSX.Element {
  const x = scaleBand(
    days.map(({ day }) => day),
    [MARGIN.left, width - MARGIN.right],
  ).padding(0.2);
  const y = scaleLinear([0, max(days, totalOf) ?? 1], [height - MARGIN.bottom, MARGIN.top]).nice(5);
  const series = stack<Days[number]>()
    .keys(names)
    .value(({ counts }, name) => counts[name] ?? 0)(days);
  const barPx = Math.min(WIDEST_BAR_PX, x.bandwidth());
  const barAt = (day: string): number => (x(day) ?? 0) + (x.bandwidth() - barPx) / 2;
  const apart = Math.ceil(DAY_LABEL_PX / Math.max(1, x.step()));
  const wholeTicks = y.ticks(5).filter(Number.isInteger);
  return (
    <>
      <LeftAxis
        from={MARGIN.left}
        to={width - MARGIN.right}
        ticks={wholeTicks.map((value) => ({ at: y(value), text: String(value) }))}
      />
      {series.map((part) => (
        <g key={part.key} class={outcomeClass(part.key)}>
          {part.map(({ data, 0: from, 1: to }) => (
            <rect
              key={data.day}
              x={barAt(data.day)}
              width={barPx}
              y={y(to)}
              height={Math.max(0, y(from) - y(to) - (to > from ? 1 : 0))}
            >
              <title>{`${data.day}: ${to - from} ${words(part.key)}`}</title>
            </rect>
          ))}
        </g>
      ))}
      <BottomAxis
        y={height - MARGIN.bottom}
        ticks={days
          .filter((_, index) => (days.length - 1 - index) % apart === 0)
          .map(({ day }) => ({ at: (x(day) ?? 0) + x.bandwidth() / 2, text: day.slice(5) }))}
      />
    </>
  );
}

function totalOf({ counts }: Days[number]): number {
  return Object.values(counts).reduce((sum, number) => sum + number, 0);
}

const DAY_MS = 86_400_000;

/** Adds the days without a run, which the document omits. */
function everyDay(days: Days): Days {
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  if (first === undefined || last === undefined) return days;
  const known = new Map(days.map((day) => [day.day, day]));
  const length = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  return Array.from({ length }, (_, index) => {
    const day = new Date(Date.parse(first) + index * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { day, counts: {} };
  });
}
