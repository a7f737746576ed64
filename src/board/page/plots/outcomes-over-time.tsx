import { max } from "d3-array";
import type { JSX } from "preact";
import type { StatisticsDocument } from "../../api/index.ts";
import { count, words } from "../model/index.ts";
import { BottomAxis, LeftAxis } from "./axis.tsx";
import { Figure, type PlotSize } from "./figure.tsx";
import { outcomeClass, outcomesInOrder } from "./outcome-order.ts";
import { bands, niceScale } from "./scale.ts";

type Days = StatisticsDocument["outcomes"];

const MARGIN = { top: 8, right: 12, bottom: 24, left: 34 };
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
  const x = bands(days.length, [MARGIN.left, width - MARGIN.right], 0.2);
  const y = niceScale(max(days, totalOf) ?? 1, [height - MARGIN.bottom, MARGIN.top], 5);
  const barPx = Math.min(WIDEST_BAR_PX, x.width);
  const barAt = (index: number): number => x.at(index) + (x.width - barPx) / 2;
  const apart = Math.ceil(DAY_LABEL_PX / Math.max(1, x.step));
  const wholeTicks = y.ticks.filter(Number.isInteger);
  return (
    <>
      <LeftAxis
        from={MARGIN.left}
        to={width - MARGIN.right}
        ticks={wholeTicks.map((value) => ({ at: y.at(value), text: String(value) }))}
      />
      {names.map((name, place) => (
        <g key={name} class={outcomeClass(name)}>
          {days.map(({ day, counts }, index) => {
            const number = counts[name] ?? 0;
            const below = names.slice(0, place).reduce((sum, other) => sum + (counts[other] ?? 0), 0);
            const [top, bottom] = [y.at(below + number), y.at(below)];
            return (
              <rect
                key={day}
                x={barAt(index)}
                width={barPx}
                y={top}
                height={Math.max(0, bottom - top - (number > 0 ? 1 : 0))}
              >
                <title>{`${day}: ${number} ${words(name)}`}</title>
              </rect>
            );
          })}
        </g>
      ))}
      <BottomAxis
        y={height - MARGIN.bottom}
        ticks={days
          .map(({ day }, index) => ({ at: x.at(index) + x.width / 2, text: day.slice(5) }))
          .filter((_, index) => (days.length - 1 - index) % apart === 0)}
      />
    </>
  );
}

function totalOf({ counts }: Days[number]): number {
  return Object.values(counts).reduce((sum, number) => sum + number, 0);
}

const DAY_MS = 86_400_000;

/** Returns the days with those on which no run began, which the document omits. */
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
