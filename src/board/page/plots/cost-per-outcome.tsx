import type { JSX } from "preact";
import type { StatisticsDocument } from "../../api/index.ts";
import { formatUsd, words } from "../model/index.ts";
import { CostBars } from "./cost-bars.tsx";
import { outcomeClass, outcomesInOrder } from "./outcome-order.ts";

/** Renders the cost per outcome. */
export function CostPerOutcome({ costs: unordered }: { costs: StatisticsDocument["costs"] }): JSX.Element {
  const order = outcomesInOrder(unordered.map(({ outcome }) => outcome));
  const costs = [...unordered].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  const total = costs.reduce((sum, { totalUsd }) => sum + totalUsd, 0);
  return (
    <CostBars
      title="Cost per outcome"
      description={`${formatUsd(total)} in total, for the Triage Runs that reported their cost.`}
      scale="US dollars in total, and the mean, for the Triage Runs that reported their cost"
      emptyText="No Triage Run reported its cost in this time."
      table={{
        head: ["Outcome", "Runs", "Mean", "Altogether"],
        rows: costs.map(({ outcome, count, meanUsd, totalUsd }) => [
          words(outcome),
          String(count),
          formatUsd(meanUsd),
          formatUsd(totalUsd),
        ]),
      }}
      bars={costs.map(({ outcome, count, meanUsd, totalUsd }) => ({
        name: outcome,
        usd: totalUsd,
        className: outcomeClass(outcome),
        value: `${formatUsd(totalUsd)} · ${formatUsd(meanUsd)} each`,
        title: `${words(outcome)}: ${formatUsd(totalUsd)} for ${count} runs`,
      }))}
      padding={0.3}
      rightPx={110}
    />
  );
}
