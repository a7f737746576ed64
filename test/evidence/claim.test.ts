import { expect, test } from "vitest";
import { claimLines, isMatch, keptOutput } from "../../src/evidence/decide/claim-lines.ts";
import { plainText } from "../../src/github/index.ts";
import { CONTROL_KINDS, isEvidence, MAX_OUTPUT_CHARACTERS, showsClaim } from "../../src/evidence/index.ts";

test.each([
  [{ exitCode: 1, outputContains: "boom" }, 1, "a boom", true],
  [{ exitCode: 1, outputContains: "boom" }, 2, "a boom", false],
  [{ exitCode: 1, outputContains: "boom" }, 1, "quiet", false],
  [{ exitCode: null, outputContains: "boom" }, 7, "boom", true],
  [{ exitCode: null, outputContains: null }, 1, "boom", false],
  [{ exitCode: 1, outputContains: "a\r\nb" }, 1, "a\nb", true],
])(
  "a run shows a claim only if it shows everything that the claim names: %j, %i, %j (V3)",
  (claim, code, output, shows) => {
    expect(showsClaim({ expect: claim }, code, output)).toBe(shows);
  },
);

test.each([
  "::error file=a.js::wrong",
  "wrong ##[error]",
  "\u001b[31mwrong\u001b[0m",
  "10 %\r20 %",
  "a\u200bb",
  "soft\u00adhyphen",
  "one\u2028two",
  "prefix ::error::wrong",
])("a run shows a text that it printed, even if plain text drops a part of it: %j (V3)", (text) => {
  const claim = { exitCode: null, outputContains: text };
  const output = plainText(`before\n${text} after\nmore\n`);
  expect(showsClaim({ expect: claim }, 1, output)).toBe(true);
  expect(showsClaim({ expect: claim }, 1, plainText("something else"))).toBe(false);
  expect(claimLines({ expect: claim }, output)).not.toContain("more");
});

test("a claim text that begins or ends inside an output line is found (V3)", () => {
  const text = "::error::wrong";
  expect(showsClaim({ expect: { exitCode: 1, outputContains: text } }, 1, plainText(`x ${text}`))).toBe(true);
});

test("no run shows a text that is invisible (V3)", () => {
  expect(showsClaim({ expect: { exitCode: 1, outputContains: "\u001b[31m" } }, 1, "any")).toBe(false);
});

test("a claim's text is kept with its lines when more output follows than is kept (V2, V3)", () => {
  const claim = { expect: { exitCode: 1, outputContains: "got 3" } };
  const long = "x".repeat(MAX_OUTPUT_CHARACTERS);
  const output = `start\nf(1): got 3\n${long}\nf(2): got 3\nend\n`;
  const kept = keptOutput(claim, output);
  expect(kept.length).toBeLessThan(MAX_OUTPUT_CHARACTERS + 100);
  expect(kept.endsWith("f(2): got 3\nend\n")).toBe(true);
  expect(isMatch(claim, { end: { type: "exited", exitCode: 1 }, output: kept })).toBe(true);
  expect(claimLines(claim, kept)).toBe(claimLines(claim, output));
  expect(keptOutput(claim, `${long}got 3${long}`)).toMatch(/^got 3\nx+$/);
  expect(keptOutput(claim, long)).toBe(long);
  expect(keptOutput(claim, `none ${long}`)).toBe(long);
  expect(keptOutput({ expect: { exitCode: 1, outputContains: null } }, `none ${long}`)).toBe(long);
});

test("a run that did not exit shows no claim (V3)", () => {
  expect(showsClaim({ expect: { exitCode: 1, outputContains: null } }, null, "")).toBe(false);
});

test("only verified and flaky reproductions count as evidence of a bug (V3)", () => {
  expect(isEvidence({ type: "verified" })).toBe(true);
  expect(isEvidence({ type: "flaky", matched: 1, runs: 3, shownIn: [] })).toBe(true);
  expect(isEvidence({ type: "flaky", matched: 1, runs: 3, shownIn: ["absent"] })).toBe(false);
  expect(isEvidence({ type: "vacuous", shownIn: [...CONTROL_KINDS], reason: "" })).toBe(false);
  expect(MAX_OUTPUT_CHARACTERS).toBeGreaterThan(100_000);
});
