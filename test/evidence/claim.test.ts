import { expect, test } from "vitest";
import { CONTROL_KINDS, isEvidence, MAX_OUTPUT_CHARACTERS, showsClaim } from "../../src/evidence/index.ts";

test.each([
  [{ exitCode: 1, outputContains: "boom" }, 1, "a boom", true],
  [{ exitCode: 1, outputContains: "boom" }, 2, "a boom", false],
  [{ exitCode: 1, outputContains: "boom" }, 1, "quiet", false],
  [{ exitCode: null, outputContains: "boom" }, 7, "boom", true],
  [{ exitCode: null, outputContains: null }, 1, "boom", false],
  [{ exitCode: 1, outputContains: "a\r\nb" }, 1, "a\nb", true],
])(
  "a run shows a claim only when it shows everything the claim names: %j, %i, %j (V3)",
  (claim, code, output, shows) => {
    expect(showsClaim({ expect: claim }, code, output)).toBe(shows);
  },
);

test("a run that did not exit shows no claim (V3)", () => {
  expect(showsClaim({ expect: { exitCode: 1, outputContains: null } }, null, "")).toBe(false);
});

test("only verified and flaky count as evidence of a bug (V3)", () => {
  expect(isEvidence({ type: "verified" })).toBe(true);
  expect(isEvidence({ type: "flaky", matched: 1, runs: 3, shownIn: [] })).toBe(true);
  expect(isEvidence({ type: "flaky", matched: 1, runs: 3, shownIn: ["absent"] })).toBe(false);
  expect(isEvidence({ type: "vacuous", shownIn: [...CONTROL_KINDS], reason: "" })).toBe(false);
  expect(MAX_OUTPUT_CHARACTERS).toBeGreaterThan(100_000);
});
