import type { JSX } from "preact";
import type { TrustRowDocument } from "../../api/index.ts";
import { formatUsd, words } from "../model/index.ts";
import { CostBars } from "../plots/index.ts";

/** Renders the cost of one accepted outcome of each kind, which includes what was spent on outcomes that were not accepted. */
export function CostPerAccepted({ rows: all }: { rows: readonly TrustRowDocument[] }): JSX.Element {
  const rows = all.flatMap(({ value, accepted, usd, usdPerAccepted }) =>
    usdPerAccepted === null || usd === 0 ? [] : [{ value, accepted, usd, usdPerAccepted }],
  );
  return (
    <CostBars
      title="Cost per accepted outcome"
      description={`${formatUsd(rows.reduce((sum, { usd }) => sum + usd, 0))} were spent on these kinds.`}
      scale="US dollars: everything spent on a kind, divided by its accepted outcomes"
      emptyText="No accepted outcome has reported its cost."
      table={{
        head: ["Kind", "Accepted", "Spent", "Per accepted outcome"],
        rows: rows.map(({ value, accepted, usd, usdPerAccepted }) => [
          words(value),
          String(accepted),
          formatUsd(usd),
          formatUsd(usdPerAccepted),
        ]),
      }}
      bars={rows.map(({ value, usdPerAccepted }) => ({
        name: value,
        usd: usdPerAccepted,
        className: "series-age",
        value: formatUsd(usdPerAccepted),
        title: `${words(value)}: ${formatUsd(usdPerAccepted)} for an accepted outcome`,
      }))}
      padding={0.35}
      rightPx={70}
    />
  );
}
