import { array, assert, boolean, nat, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { judged, nextStep, startBisection } from "../../../src/triage/index.ts";

interface Search {
  step: ReturnType<typeof nextStep>;
  tests: number;
}

/** Commits 0 (newest) to firstBad have the bug; `untestable` ones cannot be judged. */
function search(length: number, firstBad: number, untestable: (index: number) => boolean): Search {
  let bisection = startBisection(length);
  for (let tests = 0; ; tests += 1) {
    const step = nextStep(bisection);
    if (step.type !== "test") return { step, tests };
    if (tests > length) throw new Error("it never ends");
    const verdict = untestable(step.index) ? "untestable" : step.index <= firstBad ? "bad" : "good";
    bisection = judged(bisection, step.index, verdict);
  }
}

describe("the search for the first bad commit", () => {
  test("T8: it is found, wherever it is, in a logarithmic number of tests", () => {
    assert(
      property(nat(2_000), nat(2_000), (length, at) => {
        const firstBad = Math.min(at, length);
        const { step, tests } = search(length + 2, firstBad, () => false);
        expect(step).toEqual({ type: "found", index: firstBad, isExact: true });
        expect(tests).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(length + 2)) + 2);
      }),
    );
  });

  test("T8: with commits that cannot be tested it ends, and says only what was seen", () => {
    assert(
      property(array(boolean(), { minLength: 2, maxLength: 60 }), nat(60), (skips, at) => {
        const length = skips.length;
        const firstBad = at % length;
        const untestable = (index: number): boolean => index > 0 && (skips[index] ?? false);
        const { step } = search(length, firstBad, untestable);
        if (step.type === "always-bad") {
          const later = skips.slice(firstBad + 1);
          expect(later.every((isSkipped) => isSkipped)).toBe(true);
          return;
        }
        expect(step.type).toBe("found");
        if (step.type !== "found") return;
        // Between what is named and the true one there is nothing but untestable commits.
        for (let index = step.index + 1; index <= firstBad; index += 1) expect(untestable(index)).toBe(true);
        expect(step.index <= firstBad).toBe(true);
        if (step.isExact) expect(step.index).toBe(firstBad);
      }),
    );
  });

  test("a history of nothing but bad commits is told apart", () => {
    expect(search(9, 8, () => false).step).toEqual({ type: "always-bad" });
    expect(search(1, 0, () => false).step).toEqual({ type: "always-bad" });
    expect(search(5, 1, (index) => index > 0).step).toEqual({ type: "always-bad" });
  });
});
