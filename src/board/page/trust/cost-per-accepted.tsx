import { max } from "d3-array";
import { scaleBand, scaleLinear } from "d3-scale";
import type { JSX } from "preact";
import type { TrustRowDocument } from "../../api/index.ts";
import { formatUsd, words } from "../model/index.ts";
import { BottomAxis, Figure, type PlotSize } from "../plots/index.ts";

const MARGIN = { top: 4, right: 70, bottom: 24, left: 112 };

/** Renders what one accepted outcome of each kind cost, with all that was spent on those that were not accepted. */
export function CostPerAccepted({ rows: all }: { rows: readonly TrustRowDocument[] }): JSX.Element {
  const rows = all.filter(({ usdPerAccepted, usd }) => usdPerAccepted !== null && usd > 0);
  return (
    <Figure
      title="Cost per accepted outcome"
      description={`${formatUsd(rows.reduce((sum, { usd }) => sum + usd, 0))} were spent on these kinds.`}
      scale="US dollars: everything spent on a kind, divided by its accepted outcomes"
      emptyText="No accepted outcome has reported its cost."
      heightPx={Math.max(120, rows.length * 30 + MARGIN.top + MARGIN.bottom)}
      table={{
        head: ["Kind", "Accepted", "Spent", "Per accepted outcome"],
        rows: rows.map(({ value, accepted, usd, usdPerAccepted }) => [
          words(value),
          String(accepted),
          formatUsd(usd),
          formatUsd(usdPerAccepted),
        ]),
      }}
      draw={(size) => <Bars rows={rows} {...size} />}
    />
  );
}

function Bars({ rows, width, height }: { rows: readonly TrustRowDocument[] } & PlotSize): JSX.Element {
  const y = scaleBand(
    rows.map(({ value }) => value),
    [MARGIN.top, height - MARGIN.bottom],
  ).padding(0.35);
  const most = max(rows, ({ usdPerAccepted }) => usdPerAccepted ?? 0) ?? 1;
  const x = scaleLinear([0, most], [MARGIN.left, width - MARGIN.right]).nice(4);
  return (
    <>
      <BottomAxis
        y={height - MARGIN.bottom}
        lineTo={MARGIN.top}
        ticks={x.ticks(width < 420 ? 2 : 4).map((usd) => ({ at: x(usd), text: `$${usd}` }))}
      />
      {rows.map(({ value, usdPerAccepted }) => {
        const middle = (y(value) ?? 0) + y.bandwidth() / 2;
        return (
          <g key={value} class="series-age">
            <title>{`${words(value)}: ${formatUsd(usdPerAccepted)} for an accepted outcome`}</title>
            <text class="name" x={MARGIN.left - 10} y={middle} dy="0.32em" text-anchor="end">
              {words(value)}
            </text>
            <rect
              x={MARGIN.left}
              width={Math.max(1, x(usdPerAccepted ?? 0) - MARGIN.left)}
              y={y(value)}
              height={y.bandwidth()}
              rx={2}
            />
            <text class="value" x={x(usdPerAccepted ?? 0) + 8} y={middle} dy="0.32em">
              {formatUsd(usdPerAccepted)}
            </text>
          </g>
        );
      })}
    </>
  );
}
