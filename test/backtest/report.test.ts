import { expect, test } from "vitest";
import {
  type BacktestItem,
  backtestReport,
  compareBacktests,
  describeBacktest,
  describeComparison,
  describeDrawn,
} from "../../src/backtest/index.ts";
import { correctedWilsonInterval, pairedDifference } from "../../src/trust/index.ts";

type Ours = NonNullable<BacktestItem["ours"]>;

function item(
  number: number,
  theirs: BacktestItem["truth"]["outcome"],
  ours: Partial<Ours> | null,
  change: Partial<BacktestItem> = {},
): BacktestItem {
  const none = {
    outcome: "worked-on",
    state: null,
    close: null,
    confidence: "high",
    evidence: null,
    usd: 1,
    ms: 1_000,
  } as const;
  return {
    number,
    title: `issue ${number}`,
    url: "",
    origin: "sample",
    truth: { outcome: theirs, why: "nothing-tells", fix: null },
    gaps: [],
    ours: ours === null ? null : { ...none, ...ours },
    hasFailed: false,
    usd: ours === null ? 0 : (ours.usd ?? none.usd),
    fix: null,
    ...change,
  };
}

const facts = { name: "n", repo: "o/r", seed: 1, population: {}, left: [] };

test("the report counts agreement, false closes, proofs by the fix, calibration and cost (E2)", () => {
  const report = backtestReport(facts, [
    item(1, "worked-on", {}, { fix: { failsBefore: true, passesAfter: true } }),
    item(2, "worked-on", { outcome: "declined", close: "not_planned", confidence: "low" }),
    item(3, "declined", { outcome: "declined", close: "not_planned" }, { gaps: ["body-as-today"] }),
    item(4, "unknown", { outcome: "asked" }),
    item(5, "asked", null),
    item(6, "worked-on", {}, { fix: { failsBefore: true, passesAfter: false } }),
  ]);
  expect(report).toMatchObject({
    sampled: 6,
    done: 5,
    agreement: { hits: 3, of: 4, rate: 0.75 },
    falseCloses: { hits: 1, of: 2 },
    provenByFix: { hits: 1, of: 2 },
    cost: { usd: 5, usdPerIssue: 1, medianMs: 1_000 },
    gaps: { "body-as-today": 1 },
    disagreements: [{ number: 2, ours: "declined", theirs: "worked-on" }],
  });
  expect(report.matrix.declined).toMatchObject({ "worked-on": 1, declined: 1 });
  expect(report.calibration.map(({ agreement }) => [agreement.hits, agreement.of])).toEqual([
    [0, 1],
    [0, 0],
    [3, 3],
  ]);
  expect(report.agreement).toMatchObject(correctedWilsonInterval(3, 4));
});

test("the report names the issues whose Triage Runs failed, and their cost counts (E2)", () => {
  const report = backtestReport(facts, [
    item(1, "worked-on", {}),
    item(2, "worked-on", null, { hasFailed: true, usd: 3 }),
    item(3, "worked-on", null),
  ]);
  expect(report).toMatchObject({
    sampled: 3,
    done: 1,
    failed: 1,
    agreement: { hits: 1, of: 1 },
    cost: { usd: 4, usdPerIssue: 2 },
  });
  expect(describeBacktest(report).lines[0]).toBe("o/r, seed 1: 1 of 3 issues, 1 failed without an outcome");
});

test("before the first issue was run people see the issues that were drawn, and no rates and no matrix of zeros", () => {
  const items = [item(1, "worked-on", null), item(2, "declined", null)];
  const { lines, matrix, disagreements } = describeBacktest(backtestReport(facts, items));
  expect([lines, matrix, disagreements]).toEqual([["o/r, seed 1: 0 of 2 issues"], [], []]);
  expect(describeDrawn(items).map((row) => [row[0], row[1], row[3]])).toEqual([
    ["#1", "worked-on", "issue 1"],
    ["#2", "declined", "issue 2"],
  ]);
});

test("issues that maintainers closed as duplicates are in the matrix and in no rate, because a backtest offers no candidates (E1, E2, E6)", () => {
  const items = [
    item(1, "worked-on", {}),
    item(2, "duplicate", {}),
    item(3, "duplicate", null, { hasFailed: true }),
  ];
  const report = backtestReport(facts, items);
  expect(report).toMatchObject({ agreement: { hits: 1, of: 1 }, disagreements: [] });
  expect(report.matrix["worked-on"].duplicate).toBe(1);
  expect(report.byOutcome.find(({ outcome }) => outcome === "duplicate")?.recall.rate).toBeNull();
  expect(compareBacktests({ name: "one", items }, { name: "other", items }).issues).toBe(1);
});

test("outcomes that maintainers had corrected count only in their own rate, not in the rates of the sample (E2, E6, E7)", () => {
  const sample = Array.from({ length: 30 }, (_, at) =>
    item(at, "worked-on", at < 3 ? { outcome: "asked" } : {}),
  );
  const cases = Array.from({ length: 20 }, (_, at) =>
    item(100 + at, "asked", at < 4 ? { outcome: "asked" } : {}, { origin: "case" }),
  );
  const report = backtestReport(facts, [...sample, ...cases]);
  expect(report).toMatchObject({
    sampled: 30,
    done: 30,
    agreement: { hits: 27, of: 30 },
    cases: { done: 20, agreement: { hits: 4, of: 20 } },
  });
  expect(report.disagreements).toHaveLength(19);
  const arm = { name: "one", items: [...sample, ...cases] };
  expect(compareBacktests(arm, { ...arm, name: "other" }).issues).toBe(30);
  const corrected = sample.map(({ number }) => item(number, "worked-on", {}, { origin: "case" }));
  expect(compareBacktests(arm, { name: "other", items: corrected }).issues).toBe(0);
});

// Newcombe's own examples of method 4: 81 of 263 is 0.2535 to 0.3682, 15 of 148 is 0.0598 to 0.1644.
test.each([
  [81, 263, 0.2535, 0.3682],
  [15, 148, 0.0598, 0.1644],
])("the interval of %d of %d equals the published one (E2)", (hits, of, lower, upper) => {
  const interval = correctedWilsonInterval(hits, of);
  expect(interval.lower).toBeCloseTo(lower, 4);
  expect(interval.upper).toBeCloseTo(upper, 4);
});

// Newcombe's own example of method 10: 36, 12, 2, 0 of 50 is 0.20 with 0.0569 to 0.3404.
test("the paired interval equals the published one (E6)", () => {
  const { difference, lower, upper } = pairedDifference({
    both: 36,
    onlyFirst: 12,
    onlySecond: 2,
    neither: 0,
  });
  expect(difference).toBeCloseTo(0.2, 10);
  expect(lower).toBeCloseTo(0.0569, 4);
  expect(upper).toBeCloseTo(0.3404, 4);
});

test("compareBacktests chooses the cheaper backtest if it is not worse, and otherwise none (E6)", () => {
  const arm = (name: string, wrong: number, usd: number) => ({
    name,
    items: Array.from({ length: 200 }, (_, index) =>
      item(index, "worked-on", { usd, outcome: index < wrong ? "asked" : "worked-on" }),
    ),
  });
  const [large, small, poor] = [arm("large", 10, 2), arm("small", 11, 0.5), arm("poor", 40, 0.1)];
  expect(compareBacktests(large, small)).toMatchObject({ issues: 200, choose: "small" });
  expect(compareBacktests(small, large)).toMatchObject({ choose: "small" });
  expect(compareBacktests(large, poor)).toMatchObject({ choose: null });
  expect(compareBacktests(large, { name: "none", items: [] })).toMatchObject({ issues: 0, choose: null });
});

test("an issue on which one backtest delivered no outcome counts as not agreed for it, and the comparison says so (E6)", () => {
  const arm = (name: string, usd: number, failed: number) => ({
    name,
    items: Array.from({ length: 200 }, (_, index) =>
      item(index, "worked-on", index < failed ? null : {}, { hasFailed: index < failed, usd }),
    ),
  });
  const comparison = compareBacktests(arm("small", 0.2, 100), arm("large", 1, 0));
  expect(comparison).toMatchObject({
    issues: 200,
    choose: null,
    arms: [
      { name: "small", agreement: { hits: 100, of: 200 }, failed: 100 },
      { name: "large", agreement: { hits: 200, of: 200 }, failed: 0 },
    ],
  });
  expect(comparison.arms[0]?.usd).toBeCloseTo(40, 6);
  expect(describeComparison(comparison).join("\n")).toContain(
    "small: agreement 0.50 [0.43, 0.57] of 200, 100 failed without an outcome",
  );
  // An issue that one of them has not run yet says nothing.
  const halfway = { ...arm("small", 0.2, 0), items: arm("small", 0.2, 0).items.slice(0, 150) };
  expect(compareBacktests(halfway, arm("large", 1, 0)).issues).toBe(150);
});

test("neither of two backtests with the same cost is named as the cheaper one (E6)", () => {
  const items = Array.from({ length: 200 }, (_, index) => item(index, "worked-on", { usd: 0 }));
  expect(compareBacktests({ name: "first", items }, { name: "second", items })).toMatchObject({
    choose: null,
    why: "both cost the same",
  });
});
