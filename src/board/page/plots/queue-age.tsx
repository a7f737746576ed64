import { max } from "d3-array";
import type { JSX } from "preact";
import type { StatisticsDocument } from "../../api/index.ts";
import { count } from "../model/index.ts";
import { BottomAxis, LeftAxis } from "./axis.tsx";
import { Figure, type PlotSize } from "./figure.tsx";
import { bands, niceScale } from "./scale.ts";

type Bins = StatisticsDocument["queueAges"];

const MARGIN = { top: 18, right: 4, bottom: 24, left: 34 };

/** Renders how long issues had waited when their run began. */
export function QueueAge({ bins }: { bins: Bins }): JSX.Element {
  const total = bins.reduce((sum, bin) => sum + bin.count, 0);
  return (
    <Figure
      title="Queue age"
      description={`How long ${count(total, "issue")} had waited for triage when the Triage Run began.`}
      scale="Issues by waiting time before their Triage Run began"
      emptyText="No Triage Run began in this time."
      heightPx={220}
      table={{
        head: ["Waited", "Issues"],
        rows: total === 0 ? [] : bins.map((bin, index) => [name(bins, index), String(bin.count)]),
      }}
      draw={(size) => <Columns bins={bins} {...size} />}
    />
  );
}

function Columns({ bins, width, height }: { bins: Bins } & PlotSize): JSX.Element {
  const x = bands(bins.length, [MARGIN.left, width - MARGIN.right], 0.16);
  const y = niceScale(max(bins, (bin) => bin.count) ?? 1, [height - MARGIN.bottom, MARGIN.top], 4);
  const ticks = y.ticks.filter(Number.isInteger);
  return (
    <>
      <LeftAxis
        from={MARGIN.left}
        to={width - MARGIN.right}
        ticks={ticks.map((value) => ({ at: y.at(value), text: String(value) }))}
      />
      <g class="series-age">
        {bins.map((bin, index) => (
          <g key={name(bins, index)}>
            <title>{`${name(bins, index)}: ${bin.count}`}</title>
            <rect
              x={x.at(index)}
              width={x.width}
              y={y.at(bin.count)}
              height={height - MARGIN.bottom - y.at(bin.count)}
              rx={2}
            />
            {bin.count === 0 ? null : (
              <text class="value" x={x.at(index) + x.width / 2} y={y.at(bin.count) - 5} text-anchor="middle">
                {bin.count}
              </text>
            )}
          </g>
        ))}
      </g>
      <BottomAxis
        y={height - MARGIN.bottom}
        ticks={bins.map((_, index) => ({ at: x.at(index) + x.width / 2, text: name(bins, index) }))}
      />
    </>
  );
}

const HOUR_MS = 3_600_000;

/** Returns the name of a bin: "< 1 h", "< 7 d", or "≥ 30 d" for the last bin, which has no upper edge. */
function name(bins: Bins, index: number): string {
  const upToMs = bins[index]?.upToMs ?? null;
  return upToMs === null ? `≥ ${age(bins[index - 1]?.upToMs ?? 0)}` : `< ${age(upToMs)}`;
}

function age(ms: number): string {
  const hours = Math.round(ms / HOUR_MS);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}
