import { shownText } from "../../github/index.ts";
import { ourOutcomes } from "../../trust/index.ts";
import { maintainerOutcomes } from "../maintainer-outcome.ts";
import type { BacktestReport } from "./backtest-report.ts";
import type { BacktestComparison } from "./compare-backtests.ts";
import { sayRate } from "./rate.ts";

/** Describes a report for people: lines of text, and two tables as rows of columns. Titles are inert. */
export function describeBacktest(report: BacktestReport): {
  lines: string[];
  matrix: string[][];
  disagreements: string[][];
} {
  const { cost } = report;
  const [leftText, gapText] = [report.left, report.gaps].map((counts) =>
    Object.entries(counts).map(([why, count]) => `${count} ${why}`),
  ) as [string[], string[]];
  return {
    lines: [
      `${report.repo}, seed ${report.seed}: ${report.done} of ${report.sampled} issues${sayFailed(report.failed)}`,
      ...(leftText.length === 0 ? [] : [`left out of the sample: ${leftText.join(", ")}`]),
      `agreement with maintainers: ${sayRate(report.agreement)}`,
      ...(report.cases.done === 0
        ? []
        : [`agreement on outcomes that maintainers had corrected: ${sayRate(report.cases.agreement)}`]),
      `false closes: ${sayRate(report.falseCloses)}`,
      `reproductions that fail before the fix and pass after it: ${sayRate(report.provenByFix)}`,
      ...report.calibration.map(
        ({ confidence, agreement }) => `at ${confidence} confidence: ${sayRate(agreement)}`,
      ),
      `cost: $${cost.usd.toFixed(2)}${cost.usdPerIssue === null ? "" : `, $${cost.usdPerIssue.toFixed(3)} per issue`}${cost.medianMs === null ? "" : `, median ${(cost.medianMs / 1_000).toFixed(1)} s`}`,
      ...(gapText.length === 0 ? [] : [`not restored to that time: ${gapText.join(", ")}`]),
    ],
    matrix: [
      ["ours \\ theirs", ...maintainerOutcomes],
      ...ourOutcomes.map((ours) =>
        Array.of<string>(ours).concat(
          maintainerOutcomes.map((theirs) => String(report.matrix[ours][theirs])),
        ),
      ),
    ],
    disagreements: report.disagreements.map(({ number, ours, theirs, why, title }) => [
      `#${number}`,
      ours,
      theirs,
      why,
      shownText(title),
    ]),
  };
}

/** Describes the comparison of two backtests as lines for people, with the confidence interval of the difference. */
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
