import { type Interval, pairedDifference } from "../../trust/index.ts";
import { isAgreed, isComparable, type MaintainerOutcome } from "../maintainer-outcome.ts";
import type { BacktestItem } from "./backtest-report.ts";
import { type Rate, rateOf } from "./rate.ts";

/** One of the two backtests that are compared. */
export interface Arm {
  name: string;
  items: readonly BacktestItem[];
}

interface ComparedArm {
  name: string;
  agreement: Rate;
  /** The issues without an outcome, which count as not agreed: a backtest fails more often on hard issues. */
  failed: number;
  usd: number;
}

/** The comparison of two backtests, `afk-triage/backtest-comparison@1`. */
export interface BacktestComparison {
  schema: "afk-triage/backtest-comparison@1";
  /** The issues of the sample that both backtests have run and whose maintainer outcome can be compared. */
  issues: number;
  arms: readonly ComparedArm[];
  /** The first backtest's agreement minus the second's. */
  difference: Interval & { difference: number };
  /** The cheaper backtest if it is not worse; null: the cheaper one may be worse, or none is cheaper. */
  choose: string | null;
  why: string;
}

/** A difference up to this at the pessimistic end of the interval counts as not worse. */
const MARGIN = 0.05;

/** Returns the comparison of two models or prompts on the same issues (E6). Pure. */
export function compareBacktests(first: Arm, second: Arm): BacktestComparison {
  const others = new Map(sampled(second).map((item) => [item.number, item]));
  const pairs = sampled(first).flatMap((one) => {
    const other = others.get(one.number);
    if (other === undefined) return [];
    const right = isRight(one, one.truth.outcome);
    const otherRight = isRight(other, one.truth.outcome);
    return right === null || otherRight === null ? [] : [{ one, other, right, otherRight }];
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
  const armOf = (name: string, hits: number, items: readonly BacktestItem[]): ComparedArm => ({
    name,
    agreement: rateOf(hits, pairs.length),
    failed: items.filter(({ hasFailed }) => hasFailed).length,
    usd: items.reduce((total, { usd }) => total + usd, 0),
  });
  const arms = [
    armOf(
      first.name,
      counts.both + counts.onlyFirst,
      pairs.map(({ one }) => one),
    ),
    armOf(
      second.name,
      counts.both + counts.onlySecond,
      pairs.map(({ other }) => other),
    ),
  ] as const;
  return {
    schema: "afk-triage/backtest-comparison@1",
    issues: pairs.length,
    arms,
    difference,
    ...choice(pairs.length, arms, difference),
  };
}

function choice(
  issues: number,
  [first, second]: readonly [ComparedArm, ComparedArm],
  { lower, upper }: Interval,
): Pick<BacktestComparison, "choose" | "why"> {
  if (issues === 0)
    return {
      choose: null,
      why: "there is no issue that both have run and whose maintainer outcome can be compared",
    };
  if (first.usd === second.usd) return { choose: null, why: "both cost the same" };
  // The worst difference of the cheaper backtest within the interval.
  const [cheaper, worst] = first.usd < second.usd ? [first.name, lower] : [second.name, -upper];
  const worse = Math.max(0, -worst).toFixed(3);
  return worst >= -MARGIN
    ? {
        choose: cheaper,
        why: `${cheaper} costs less and is at most ${worse} worse, within the margin of ${MARGIN}`,
      }
    : {
        choose: null,
        why: `${cheaper} costs less, and may be ${worse} worse: more issues are needed to decide`,
      };
}

/**
 * Returns whether a backtest agreed with the maintainers on an issue; null: it has not run it, or their outcome cannot be compared.
 */
function isRight({ ours, hasFailed }: BacktestItem, theirs: MaintainerOutcome): boolean | null {
  if (ours !== null) return isAgreed(ours.outcome, theirs);
  return hasFailed && isComparable(theirs) ? false : null;
}

/** Returns the items of the sample, without the outcomes that maintainers had corrected. */
function sampled({ items }: Arm): BacktestItem[] {
  return items.filter(({ origin }) => origin !== "case");
}
