import {
  isAgreed,
  isComparable,
  isFalseClose,
  type MaintainerOutcome,
  maintainerOutcomes,
  type MaintainerVerdict,
} from "../maintainer-outcome.ts";
import { median, type OurOutcome, ourOutcomes } from "../../trust/index.ts";
import { type Rate, rateOf } from "./rate.ts";

/** One issue of the sample and its result. */
export interface BacktestItem {
  number: number;
  title: string;
  url: string;
  /** `case`: a maintainer corrected our earlier outcome on this issue. */
  origin: "sample" | "case";
  truth: MaintainerVerdict;
  gaps: readonly string[];
  /** null: the issue has not run yet, or its run failed. */
  ours: {
    outcome: OurOutcome;
    state: string | null;
    close: string | null;
    confidence: "low" | "medium" | "high" | null;
    evidence: string | null;
    usd: number;
    ms: number;
  } | null;
  /** Whether it has no outcome because its last Triage Run failed. */
  hasFailed: boolean;
  /** The cost of all Triage Runs of the issue, in US dollars. */
  usd: number;
  /**
   * Whether a verified reproduction fails before the known fix and passes after it; null: there is no reproduction, or no known
   * fix that was checked.
   */
  fix: { failsBefore: boolean; passesAfter: boolean } | null;
}

/** The report of a backtest, `afk-triage/backtest@1`. */
export interface BacktestReport {
  schema: "afk-triage/backtest@1";
  name: string;
  repo: string;
  seed: number;
  /** The number of closed issues by their class, as far as the listing alone shows it. */
  population: Readonly<Record<string, number>>;
  sampled: number;
  /** The drawn issues that could not be taken back, by reason. They are not among the sampled ones. */
  left: Readonly<Record<string, number>>;
  done: number;
  /** The issues without an outcome whose Triage Run failed. They are in no rate. */
  failed: number;
  /** Replayed outcomes that maintainers had corrected. They were chosen because we were wrong, so no other rate includes them. */
  cases: { done: number; agreement: Rate };
  agreement: Rate;
  /** Precision: how often each of our outcomes agreed with the maintainers. Recall: how often we found each outcome of theirs. */
  byOutcome: readonly { outcome: OurOutcome; precision: Rate; recall: Rate }[];
  matrix: Readonly<Record<OurOutcome, Readonly<Record<MaintainerOutcome, number>>>>;
  /** The rate of false closes among the issues that we would have closed. */
  falseCloses: Rate;
  /** The rate of fail-before and pass-after among the reproductions with a known fix. */
  provenByFix: Rate;
  calibration: readonly { confidence: "low" | "medium" | "high"; agreement: Rate }[];
  cost: { usd: number; usdPerIssue: number | null; medianMs: number | null };
  gaps: Readonly<Record<string, number>>;
  disagreements: readonly {
    number: number;
    title: string;
    url: string;
    ours: string;
    theirs: string;
    why: string;
  }[];
}

/** The part of the plan that a report needs. `left`: the drawn issues that could not be taken back, each with the reason. */
type ReportedPlan = Pick<BacktestReport, "name" | "repo" | "seed" | "population"> & {
  left: readonly { why: string }[];
};

type Done = BacktestItem & { ours: NonNullable<BacktestItem["ours"]> };

/**
 * Returns the report. Pure. Issues whose maintainer outcome is unknown, or a duplicate, are in the matrix but not in the rates of
 * agreement. Cases are also in the cost, the gaps and the disagreements.
 */
export function backtestReport(
  { name, repo, seed, population, left }: ReportedPlan,
  items: readonly BacktestItem[],
): BacktestReport {
  const ran = items.filter((item): item is Done => item.ours !== null);
  const isTold = ({ truth }: Done): boolean => isComparable(truth.outcome);
  const cases = ran.filter(({ origin }) => origin === "case");
  const done = ran.filter(({ origin }) => origin === "sample");
  const told = done.filter(isTold);
  const agreed = (some: readonly Done[]): Rate =>
    rateOf(
      some.filter(({ ours, truth }) => isAgreed(ours.outcome, truth.outcome) === true).length,
      some.length,
    );
  const closes = told.filter(({ ours }) => ours.close !== null);
  const checked = done.flatMap(({ fix }) => fix ?? []);
  const failed = items.filter(({ hasFailed }) => hasFailed);
  const usd = items.reduce((sum, item) => sum + item.usd, 0);
  const ended = ran.length + failed.length;
  return {
    schema: "afk-triage/backtest@1",
    name,
    repo,
    seed,
    population,
    left: counted(left.map(({ why }) => why)),
    sampled: items.filter(({ origin }) => origin === "sample").length,
    done: done.length,
    failed: failed.filter(({ origin }) => origin === "sample").length,
    cases: { done: cases.length, agreement: agreed(cases.filter(isTold)) },
    agreement: agreed(told),
    byOutcome: ourOutcomes.map((outcome) => ({
      outcome,
      precision: agreed(told.filter(({ ours }) => ours.outcome === outcome)),
      recall: agreed(told.filter(({ truth }) => truth.outcome === outcome)),
    })),
    matrix: matrixOf(done),
    falseCloses: rateOf(
      closes.filter(({ ours, truth }) => isFalseClose(ours.close, truth.outcome)).length,
      closes.length,
    ),
    provenByFix: rateOf(
      checked.filter(({ failsBefore, passesAfter }) => failsBefore && passesAfter).length,
      checked.length,
    ),
    calibration: (["low", "medium", "high"] as const).map((confidence) => ({
      confidence,
      agreement: agreed(told.filter(({ ours }) => ours.confidence === confidence)),
    })),
    cost: {
      usd,
      usdPerIssue: ended === 0 ? null : usd / ended,
      medianMs: median(ran.map(({ ours }) => ours.ms)),
    },
    gaps: counted(items.flatMap(({ gaps }) => gaps)),
    disagreements: ran
      .filter(isTold)
      .filter(({ ours, truth }) => ours.outcome !== truth.outcome)
      .map(({ number, title, url, ours, truth }) => ({
        number,
        title,
        url,
        ours: ours.outcome,
        theirs: truth.outcome,
        why: truth.why,
      })),
  };
}

function matrixOf(done: readonly Done[]): BacktestReport["matrix"] {
  const count = (ours: OurOutcome, theirs: MaintainerOutcome): number =>
    done.filter((item) => item.ours.outcome === ours && item.truth.outcome === theirs).length;
  const row = (ours: OurOutcome) =>
    Object.fromEntries(maintainerOutcomes.map((theirs) => [theirs, count(ours, theirs)])) as Record<
      MaintainerOutcome,
      number
    >;
  return Object.fromEntries(ourOutcomes.map((ours) => [ours, row(ours)])) as BacktestReport["matrix"];
}

function counted(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
