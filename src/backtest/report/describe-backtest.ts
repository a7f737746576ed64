import { countOf } from "agent-tty/kit";
import { shownText } from "../../github/index.ts";
import { ourOutcomes } from "../../trust/index.ts";
import { maintainerOutcomes } from "../maintainer-outcome.ts";
import type { BacktestItem, BacktestReport } from "./backtest-report.ts";
import type { BacktestComparison } from "./compare-backtests.ts";
import { sayRate } from "./rate.ts";

/**
 * Returns a report for people: lines of text, and two tables as rows of columns. Titles are inert. Before the first issue was run
 * there are no rates and no matrix, because there is nothing to compare.
 */
export function describeBacktest(report: BacktestReport): {
  lines: string[];
  matrix: string[][];
  disagreements: string[][];
} {
  const [leftText, gapText] = [report.left, report.gaps].map((counts) =>
    Object.entries(counts).map(([why, count]) => `${count} ${why}`),
  ) as [string[], string[]];
  const hasRun = report.done + report.failed + report.cases.done > 0;
  return {
    lines: [
      `${report.repo}, seed ${report.seed}: ${report.done} of ${countOf(report.sampled, "issue")}${sayFailed(report.failed)}`,
      ...(leftText.length === 0 ? [] : [`left out of the sample: ${leftText.join(", ")}`]),
      ...(hasRun ? comparedLines(report) : []),
      ...(gapText.length === 0 ? [] : [`not restored to that time: ${gapText.join(", ")}`]),
    ],
    matrix: hasRun
      ? [
          ["ours \\ theirs", ...maintainerOutcomes],
          ...ourOutcomes.map((ours) =>
            Array.of<string>(ours).concat(
              maintainerOutcomes.map((theirs) => String(report.matrix[ours][theirs])),
            ),
          ),
        ]
      : [],
    disagreements: report.disagreements.map(({ number, ours, theirs, why, title }) => [
      `#${number}`,
      ours,
      theirs,
      why,
      shownText(title),
    ]),
  };
}

function comparedLines({
  agreement,
  cases,
  falseCloses,
  provenByFix,
  calibration,
  cost,
}: BacktestReport): string[] {
  return [
    `agreement with maintainers: ${sayRate(agreement)}`,
    ...(cases.done === 0
      ? []
      : [`agreement on outcomes that maintainers had corrected: ${sayRate(cases.agreement)}`]),
    `false closes: ${sayRate(falseCloses)}`,
    `reproductions that fail before the fix and pass after it: ${sayRate(provenByFix)}`,
    ...calibration.map((each) => `at ${each.confidence} confidence: ${sayRate(each.agreement)}`),
    `cost: $${cost.usd.toFixed(2)}${cost.usdPerIssue === null ? "" : `, $${cost.usdPerIssue.toFixed(3)} per issue`}${cost.medianMs === null ? "" : `, median ${(cost.medianMs / 1_000).toFixed(1)} s`}`,
  ];
}

/** Returns the issues that were drawn and not run yet, as rows of columns: what maintainers did, and how that is known. */
export function describeDrawn(items: readonly BacktestItem[]): string[][] {
  return items
    .filter(({ ours, hasFailed }) => ours === null && !hasFailed)
    .map(({ number, truth, title }) => [`#${number}`, truth.outcome, truth.why, shownText(title)]);
}

/** Returns the comparison of two backtests as lines for people, with the confidence interval of the difference. */
export function describeComparison({ issues, arms, difference, choose, why }: BacktestComparison): string[] {
  const { difference: by, lower, upper } = difference;
  return [
    `${issues} issues that both have run`,
    ...arms.map(
      ({ name, agreement, failed, usd }) =>
        `${name}: agreement ${sayRate(agreement)}${sayFailed(failed)}, $${usd.toFixed(2)}`,
    ),
    `difference: ${by.toFixed(3)} [${lower.toFixed(3)}, ${upper.toFixed(3)}]`,
    `${choose === null ? "neither is recommended" : `choose ${choose}`}: ${why}`,
  ];
}

function sayFailed(failed: number): string {
  return failed === 0 ? "" : `, ${failed} failed without an outcome`;
}
