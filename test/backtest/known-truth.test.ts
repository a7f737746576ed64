import { expect, test, vi } from "vitest";
import { searchForTheFuture } from "./hostile-search.ts";
import { coveredBy, playAutonomy } from "./known-truth.ts";

// Real batches run, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

test.each([0.6, 0.9, 0.99])(
  "the report's intervals cover an accuracy of %d in at least 94 percent of 200 repetitions (E2)",
  (accuracy) => {
    expect(coveredBy(accuracy, 200)).toBeGreaterThanOrEqual(188);
  },
);

test("earned autonomy rises only for an accurate Triage Agent, and falls after three outcomes in a row that are not accepted (E4)", () => {
  expect(playAutonomy(0.6, 200).rose).toBe(0);
  expect(playAutonomy(0.9, 200).rose).toBeLessThanOrEqual(2);
  const accurate = playAutonomy(0.99, 200);
  expect(accurate.rose).toBeGreaterThanOrEqual(180);
  expect(accurate.fell).toBe(accurate.atApply);
});

test("a Triage Agent of a backtest finds no fix in checkout, git, environment and issue file (E1)", async () => {
  const search = await searchForTheFuture(3);
  expect(search).toMatchObject({ searched: 3, found: [], decided: 3 });
  expect(search.readAtLeast).toBeGreaterThan(20);
});

test("the same search finds a fix that is in the checkout (control) (E1)", async () => {
  const { found } = await searchForTheFuture(2, true);
  expect(new Set(found)).toEqual(new Set([1, 2]));
});
