import { describe, expect, test } from "vitest";
import { type FiledIssue, generateBacklog, scoreSweep } from "./index.ts";

const versions = ["1.0.0", "1.1.0", "1.2.0", "2.0.0"];
const pair = (id: string, kind: { firstFixed: string | null; lastBad: string }) => ({
  id,
  package: "widgets",
  kind: "wrong result",
  title: `widgets: ${id}`,
  body: "It prints `a` in widgets 1.1.0.",
  reportVersion: "1.1.0",
  versionsTested: versions,
  firstBad: "1.1.0",
  lastBad: kind.lastBad,
  firstFixed: kind.firstFixed,
  flips: [
    { version: "1.0.0", state: "good" as const },
    { version: "1.1.0", state: "bad" as const },
    ...(kind.firstFixed === null ? [] : [{ version: kind.firstFixed, state: "good" as const }]),
  ],
  script: "#!/bin/sh\nexit 3\n",
  expect: { exitCode: 3, outputContains: "a" },
});
const evidence = {
  pairs: [
    pair("one", { firstFixed: "1.2.0", lastBad: "1.1.0" }),
    pair("two", { firstFixed: null, lastBad: "2.0.0" }),
  ],
  scripts: [
    { id: "s", pair: "one", label: "refuse", script: "exit 1", expect: { exitCode: 1, outputContains: "b" } },
  ],
};

describe("a generated backlog", () => {
  const backlog = generateBacklog(evidence, 10, 7);

  test("the same seed generates the same issues, with fixed bugs, open bugs and misuse (W1)", () => {
    expect(generateBacklog(evidence, 10, 7)).toEqual(backlog);
    const counted = (type: string): number => backlog.filter(({ truth }) => truth.type === type).length;
    expect([counted("fixed"), counted("still-broken"), counted("misuse")]).toEqual([4, 4, 2]);
  });

  test("a repository ends after the fix if the bug is fixed, and before it otherwise (W2)", () => {
    const of = (type: string): FiledIssue | undefined =>
      backlog.find(({ truth, pair: id }) => truth.type === type && id === "one");
    expect(of("fixed")?.product.upTo).toBe("2.0.0");
    expect(of("still-broken")?.product.upTo).toBe("1.1.0");
  });

  test("the score counts a wrong release, a duplicated comment and a close without proof (W2–W4)", () => {
    const filed = backlog.find(({ truth }) => truth.type === "fixed");
    const misuse = backlog.find(({ truth }) => truth.type === "misuse");
    if (filed === undefined || misuse === undefined) throw new Error("the backlog lacks a kind");
    const nothing = { number: 1, swept: null, skippedAs: null, comments: 0, isOpen: true, verdictRuns: 1 };
    const score = scoreSweep([
      { ...nothing, filed, comments: 2 },
      { ...nothing, filed: misuse, isOpen: false, verdictRuns: 2 },
      { ...nothing, filed, skippedAs: "security-report" },
    ]);
    expect(score).toMatchObject({
      judged: 3,
      securityReports: { vulnerability: 0, misuse: 0, false: 1 },
      correct: 0,
      exactRelease: { hit: 0, of: 2 },
      wrongCloses: 1,
      doubledComments: 1,
      doneTwice: 1,
    });
  });

  test("a skipped vulnerability report counts as right, and a swept one as missed (S16)", () => {
    const slow = { ...pair("slow", { firstFixed: "1.2.0", lastBad: "1.1.0" }), kind: "ReDoS" };
    const [filed] = generateBacklog({ pairs: [slow], scripts: [] }, 1, 7);
    if (filed === undefined) throw new Error("the backlog is empty");
    const played = { number: 1, filed, swept: null, comments: 0, isOpen: true, verdictRuns: 0 };
    const score = scoreSweep([
      { ...played, skippedAs: "security-report" },
      { ...played, skippedAs: null },
    ]);
    expect(score).toMatchObject({
      judged: 1,
      securityReports: { vulnerability: 1, misuse: 0, false: 0 },
      missedVulnerabilities: 1,
    });
  });
});
