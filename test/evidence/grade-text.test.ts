import { expect, test } from "vitest";
import { evidenceMarker, evidenceSummary, type Grade, gradeLine } from "../../src/evidence/index.ts";

const grade: Grade = {
  verdict: "verified",
  runs: { matched: 3, total: 3 },
  controls: { absent: "passed", broken: "passed", deaf: "passed", renumbered: "passed" },
  range: null,
  test: null,
  place: "fresh",
};
const commit = "0123456789abcdef0123456789abcdef01234567";
const tagged = (version: string | null) => ({ commit, version });

test("the summary's evidence matches its schema (V7)", () => {
  expect(evidenceSummary(grade)).toEqual({
    verdict: "verified",
    runs: "3/3",
    controls: "0/4",
    place: "fresh",
    firstBad: null,
    firstFixed: null,
    test: null,
  });
});

const lines: [string, Partial<Grade>, string][] = [
  ["verified", {}, "verified: 3 of 3 runs, 0 of 4 control runs show it too, in a separate environment"],
  [
    "verified in the Triage Agent's own Coder workspace",
    { place: "same" },
    "verified: 3 of 3 runs, 0 of 4 control runs show it too, in the Triage Agent's own environment, which is weaker",
  ],
  [
    "vacuous, with a control that could not be made",
    {
      verdict: "vacuous",
      controls: { absent: "shows-the-claim", broken: "passed", deaf: "missing", renumbered: "passed" },
    },
    "vacuous: 3 of 3 runs, 1 of 3 control runs show it too, in a separate environment",
  ],
  [
    "ungraded",
    {
      verdict: "ungraded",
      controls: { absent: "missing", broken: "missing", deaf: "missing", renumbered: "missing" },
    },
    "ungraded: 3 of 3 runs, no control runs, in a separate environment",
  ],
  [
    "a range and a regression test",
    {
      range: {
        firstBad: { type: "exact", at: tagged("v1.2.0") },
        firstFixed: {
          type: "interval",
          after: tagged(null),
          upTo: tagged("2.0.0"),
          untestable: "they do not build",
        },
        flips: 2,
        notes: [],
      },
      test: { framework: "vitest", failsBefore: true, passesAfter: true },
    },
    "verified: 3 of 3 runs, 0 of 4 control runs show it too, in a separate environment, first bad v1.2.0, first fixed after 0123456789ab, up to 2.0.0, regression test: vitest, fails before, passes after",
  ],
  [
    "never fixed, bad from the beginning",
    {
      range: {
        firstBad: { type: "initial", at: tagged("1.0.0") },
        firstFixed: { type: "never" },
        flips: 0,
        notes: [],
      },
    },
    "verified: 3 of 3 runs, 0 of 4 control runs show it too, in a separate environment, first bad 1.0.0 or earlier, not fixed yet",
  ],
];

test.each(lines)("the comment states the grade in one line: %s (V7)", (_, change, expected) => {
  expect(gradeLine(evidenceSummary({ ...grade, ...change }))).toBe(expected);
});

test.each(["@maintainer", "[x](https://evil.example)", "v1 closes #1", "`", "<img>", "a".repeat(60)])(
  "a tag named %s is replaced by its commit, because tags are untrusted text (V7, S7)",
  (version) => {
    const range = {
      firstBad: { type: "exact", at: tagged(version) },
      firstFixed: { type: "never" },
      flips: 0,
      notes: [],
    } as const;
    const { firstBad } = evidenceSummary({ ...grade, range });
    expect(firstBad).toBe("0123456789ab");
  },
);

test("the marker's value contains no spaces (V7)", () => {
  expect(evidenceMarker(evidenceSummary(grade))).toBe("verified:3/3:0/4:fresh");
});
