import { type Interval, pairedDifference } from "../../trust/index.ts";
import { isAgreed } from "../maintainer-outcome.ts";
import type { BacktestItem } from "./backtest-report.ts";
import { type Rate, rateOf } from "./rate.ts";

/** One of the two backtests that are compared. */
export interface Arm {
  name: string;
  items: readonly BacktestItem[];
}

/** `afk-triage/backtest-comparison@1` */
export interface BacktestComparison {
  schema: "afk-triage/backtest-comparison@1";
  /** The issues of the sample that both backtests have done and whose maintainer outcome is known. */
  issues: number;
  arms: readonly { name: string; agreement: Rate; usd: number }[];
  /** The first backtest's agreement minus the second's. */
  difference: Interval & { difference: number };
  /** The cheaper backtest if it is not worse; null: the cheaper one may be worse. */
  choose: string | null;
  why: string;
}

/** A difference up to this at the pessimistic end of the interval counts as not worse. */
const MARGIN = 0.05;

/** E6: compares two models or prompts on the same issues. Pure. */
export function compareBacktests(first: Arm, second: Arm): BacktestComparison {
  const others = new Map(sampled(second).map((item) => [item.number, item]));
  const pairs = sampled(first).flatMap((one) => {
    const other = others.get(one.number);
    if (one.ours === null || other === undefined || other.ours === null) return [];
    const right = isAgreed(one.ours.outcome, one.truth.outcome);
    const otherRight = isAgreed(other.ours.outcome, one.truth.outcome);
    return right === null || otherRight === null
      ? []
      : [{ right, otherRight, usd: one.ours.usd, otherUsd: other.ours.usd }];
  });
  const count = (right: boolean, otherRight: boolean): number =>
    pairs.filter((pair) => pair.right === right && pair.otherRight === otherRight).length;
  const counts = {
    both: count(true, true),
    onlyFirst: count(true, false),
    onlySecond: count(false, true),
    neither: count(false, false),
  };
  const difference = pairedDifference(counts);
  const [usd, otherUsd] = [sum(pairs.map((pair) => pair.usd)), sum(pairs.map((pair) => pair.otherUsd))];
  const isFirstCheaper = usd <= otherUsd;
  // The worst difference of the cheaper backtest within the interval.
  const worst = isFirstCheaper ? difference.lower : -difference.upper;
  const cheaper = isFirstCheaper ? first.name : second.name;
  const isNotWorse = pairs.length > 0 && worst >= -MARGIN;
  return {
    schema: "afk-triage/backtest-comparison@1",
    issues: pairs.length,
    arms: [
      { name: first.name, agreement: rateOf(counts.both + counts.onlyFirst, pairs.length), usd },
      { name: second.name, agreement: rateOf(counts.both + counts.onlySecond, pairs.length), usd: otherUsd },
    ],
    difference,
    choose: isNotWorse ? cheaper : null,
    why: isNotWorse
      ? `${cheaper} costs less and is at most ${Math.max(0, -worst).toFixed(3)} worse, within the margin of ${MARGIN}`
      : `${cheaper} costs less, and may be ${Math.max(0, -worst).toFixed(3)} worse: more issues are needed to decide`,
  };
}

/** Without the outcomes that maintainers had corrected. */
function sampled({ items }: Arm): BacktestItem[] {
  return items.filter(({ origin }) => origin !== "case");
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
