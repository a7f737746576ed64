import { max } from "d3-array";
import type { JSX } from "preact";
import { words } from "../model/index.ts";
import { BottomAxis } from "./axis.tsx";
import { Figure, type PlotSize } from "./figure.tsx";
import { bands, niceScale } from "./scale.ts";

const [TOP_PX, BOTTOM_PX, LEFT_PX, ROW_PX, LEAST_PX] = [4, 24, 112, 30, 120];

interface CostBar {
  name: string;
  usd: number;
  className: string;
  /** The text after the bar. */
  value: string;
  /** The tooltip. */
  title: string;
}

interface CostBarsProps extends Pick<
  Parameters<typeof Figure>[0],
  "title" | "description" | "scale" | "emptyText" | "table"
> {
  bars: readonly CostBar[];
  /** The share of a bar's padding, from 0 to 1. */
  padding: number;
  /** The space for the longest `value`. */
  rightPx: number;
}

/** Renders amounts of US dollars as horizontal bars, and as a table. */
export function CostBars({ bars, padding, rightPx, ...figure }: CostBarsProps): JSX.Element {
  return (
    <Figure
      {...figure}
      heightPx={Math.max(LEAST_PX, bars.length * ROW_PX + TOP_PX + BOTTOM_PX)}
      draw={(size) => <Bars bars={bars} padding={padding} rightPx={rightPx} {...size} />}
    />
  );
}

function Bars({
  bars,
  padding,
  rightPx,
  width,
  height,
}: Pick<CostBarsProps, "bars" | "padding" | "rightPx"> & PlotSize): JSX.Element {
  const y = bands(bars.length, [TOP_PX, height - BOTTOM_PX], padding);
  const x = niceScale(max(bars, ({ usd }) => usd) ?? 1, [LEFT_PX, width - rightPx], width < 420 ? 2 : 4);
  return (
    <>
      <BottomAxis
        y={height - BOTTOM_PX}
        lineTo={TOP_PX}
        ticks={x.ticks.map((usd) => ({ at: x.at(usd), text: `$${usd}` }))}
      />
      {bars.map(({ name, usd, className, value, title }, index) => {
        const top = y.at(index);
        const middle = top + y.width / 2;
        return (
          <g key={name} class={className}>
            <title>{title}</title>
            <text class="name" x={LEFT_PX - 10} y={middle} dy="0.32em" text-anchor="end">
              {words(name)}
            </text>
            <rect x={LEFT_PX} width={Math.max(1, x.at(usd) - LEFT_PX)} y={top} height={y.width} rx={2} />
            <text class="value" x={x.at(usd) + 8} y={middle} dy="0.32em">
              {value}
            </text>
          </g>
        );
      })}
    </>
  );
}
