import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { coveredBy, playAutonomy, searchForTheFuture } from "./known-truth.ts";

test.each([0.6, 0.9, 0.99])(
  "the report's intervals cover an accuracy of %d in at least 94 percent of 200 repetitions (E2)",
  (accuracy) => {
    expect(coveredBy(accuracy, 200)).toBeGreaterThanOrEqual(188);
  },
);

test("earned autonomy rises for an accurate Triage Agent alone, and falls within its bad streak (E4)", () => {
  expect(playAutonomy(0.6, 200).rose).toBe(0);
  expect(playAutonomy(0.9, 200).rose).toBeLessThanOrEqual(2);
  const accurate = playAutonomy(0.99, 200);
  expect(accurate.rose).toBeGreaterThanOrEqual(180);
  expect(accurate.fell).toBe(accurate.atApply);
});

test("a search of checkout, git objects and issue file for the fix finds nothing (E1)", async () => {
  await using directory = await temporaryDirectory();
  expect(await searchForTheFuture(directory.path, 6)).toEqual([]);
});
