import { max } from "d3-array";
import { scaleBand, scaleLinear } from "d3-scale";
import type { JSX } from "preact";
import type { StatisticsDocument } from "../../api/index.ts";
import { formatUsd, words } from "../model/index.ts";
import { BottomAxis } from "./axis.tsx";
import { Figure, type PlotSize } from "./figure.tsx";
import { outcomeClass, outcomesInOrder } from "./outcome-order.ts";

type Costs = StatisticsDocument["costs"];

const MARGIN = { top: 4, right: 110, bottom: 24, left: 112 };

/** Renders the cost per outcome. */
export function CostPerOutcome({ costs: unordered }: { costs: Costs }): JSX.Element {
  const order = outcomesInOrder(unordered.map(({ outcome }) => outcome));
  const costs = [...unordered].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  const total = costs.reduce((sum, { totalUsd }) => sum + totalUsd, 0);
  return (
    <Figure
      title="Cost per outcome"
      description={`${formatUsd(total)} in total, for the Triage Runs that reported their cost.`}
      scale="US dollars in total, and the mean, for the Triage Runs that reported their cost"
      emptyText="No Triage Run reported its cost in this time."
      heightPx={Math.max(120, costs.length * 30 + MARGIN.top + MARGIN.bottom)}
      table={{
        head: ["Outcome", "Runs", "Mean", "Altogether"],
        rows: costs.map(({ outcome, count, meanUsd, totalUsd }) => [
          words(outcome),
          String(count),
          formatUsd(meanUsd),
          formatUsd(totalUsd),
        ]),
      }}
      draw={(size) => <Bars costs={costs} {...size} />}
    />
  );
}

function Bars({ costs, width, height }: { costs: Costs } & PlotSize): JSX.Element {
  const y = scaleBand(
    costs.map(({ outcome }) => outcome),
    [MARGIN.top, height - MARGIN.bottom],
  ).padding(0.3);
  const x = scaleLinear(
    [0, max(costs, ({ totalUsd }) => totalUsd) ?? 1],
    [MARGIN.left, width - MARGIN.right],
  ).nice(4);
  const middle = (outcome: string): number => (y(outcome) ?? 0) + y.bandwidth() / 2;
  return (
    <>
      <BottomAxis
        y={height - MARGIN.bottom}
        lineTo={MARGIN.top}
        ticks={x.ticks(width < 420 ? 2 : 4).map((usd) => ({ at: x(usd), text: `$${usd}` }))}
      />
      {costs.map(({ outcome, count, meanUsd, totalUsd }) => (
        <g key={outcome} class={outcomeClass(outcome)}>
          <title>{`${words(outcome)}: ${formatUsd(totalUsd)} for ${count} runs`}</title>
          <text class="name" x={MARGIN.left - 10} y={middle(outcome)} dy="0.32em" text-anchor="end">
            {words(outcome)}
          </text>
          <rect
            x={MARGIN.left}
            width={Math.max(1, x(totalUsd) - MARGIN.left)}
            y={y(outcome)}
            height={y.bandwidth()}
            rx={2}
          />
          <text class="value" x={x(totalUsd) + 8} y={middle(outcome)} dy="0.32em">
            {formatUsd(totalUsd)} · {formatUsd(meanUsd)} each
          </text>
        </g>
      ))}
    </>
  );
}
