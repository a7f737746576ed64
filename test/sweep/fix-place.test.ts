import { expect, test } from "vitest";
import type { RangeEnd } from "../../src/evidence/index.ts";
import { renderVerdict } from "../../src/sweep/comment/index.ts";
import { sweepReport } from "../../src/sweep/index.ts";
import { decideVerdict } from "../../src/sweep/verdict/index.ts";
import { sweptIssue } from "../support/swept-issue.ts";
import { issueWith, reproduction, runWith } from "../triage/facts.ts";

const at = (version: string | null, letter: string) => ({ version, commit: letter.repeat(40) });
const untestable = "3 versions could not be tested";
const AFTER = at("1.0.0", "a");
const stored = { script: "exit 1", expect: { exitCode: 1, outputContains: null } };

test.each<[string, RangeEnd, string, string]>([
  [
    "with a release",
    { type: "exact", at: at("1.2.0", "b") },
    "**Fixed** in `1.2.0` by commit `bbbbbbbbbbbb`:",
    "1.2.0",
  ],
  [
    "without a release",
    { type: "exact", at: at(null, "c") },
    "**Fixed** on the default branch (not released yet) by commit `cccccccccccc`:",
    "cccccccccccc",
  ],
  [
    "between two releases",
    { type: "interval", after: AFTER, upTo: at("1.3.0", "d"), untestable },
    "**Fixed** in `1.3.0` or earlier:",
    "1.3.0 or earlier",
  ],
  [
    "between a release and the default branch",
    { type: "interval", after: AFTER, upTo: at(null, "e"), untestable },
    "**Fixed** on the default branch (which release has the fix is not known):",
    "release not known",
  ],
  [
    "at no version, because the time ended",
    { type: "unknown", reason: "the time was over" },
    "**Fixed** on the default branch (which release has the fix is not known):",
    "release not known",
  ],
])("the comment and the report state a fix that is known %s (V4)", (_, firstFixed, opening, detail) => {
  const found = { firstBad: null, firstFixed: null, test: null };
  const grade = { verdict: "verified", runs: "3/3", controls: "0/4", place: "fresh", ...found } as const;
  const range = { firstBad: { type: "unknown", reason: "" }, firstFixed, flips: 1, notes: [] } as const;
  const verdict = decideVerdict({
    number: 4,
    verification: {
      type: "already-fixed",
      runs: [runWith({ exitCode: 0, matched: false })],
      reproduction,
      fixed: { version: "1.0.0", commit: AFTER.commit, runs: 3, grade, range },
      test: null,
      grade: null,
    },
    outcome: null,
    tried: "",
  });
  const swept = sweptIssue(4, verdict, { reproduction: stored });
  const context = { issue: issueWith(), runId: "20261101T000000Z", markerKey: null, recording: null };
  expect(renderVerdict({ swept, closeAfter: null }, context)).toContain(opening);
  expect(sweepReport([swept], Date.parse(swept.at)).issues[0]?.detail).toBe(detail);
});

test("the comment on a stored verdict without an exact fix names no commit (V4)", () => {
  const verdict = {
    type: "fixed",
    before: "1.0.0",
    runs: 3,
    release: null,
    commit: "e".repeat(40),
    isExact: false,
  } as const;
  const context = { issue: issueWith(), runId: "20261101T000000Z", markerKey: null, recording: null };
  expect(
    renderVerdict({ swept: sweptIssue(4, verdict, { reproduction: stored }), closeAfter: null }, context),
  ).not.toContain("eeee");
});
