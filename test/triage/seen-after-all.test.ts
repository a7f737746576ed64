import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { noInsight, renderComment, type Verification } from "../../src/triage/index.ts";
import { decideAlone, issueWith, outcomeWith, reproduction, runWith } from "./facts.ts";

const hit = runWith();
const miss = runWith({ exitCode: 0, matched: false });
const insight = { ...noInsight, commit: "c".repeat(40) };

const unseen = outcomeWith({
  outcome: "needs-info",
  summary: "It works on the default branch.",
  questions: ["Which version?"],
  brief: null,
  reproduction: { ...reproduction, reproduced: false },
});

test.each<[string, Verification, string, string]>([
  [
    "in all runs",
    { type: "reproduced", runs: [hit, hit, hit], reproduction, insight },
    "reproduction-verified",
    "Reproduced in **3 of 3** runs by the triage program itself.",
  ],
  [
    "in some runs",
    { type: "flaky", matchedRuns: 2, runs: [hit, miss, hit], reproduction, insight },
    "reproduction-flaky",
    "**Flaky**: reproduced in **2 of 3** runs by the triage program itself.",
  ],
])(
  "the reporter is not asked about a bug that the parent sees %s, although the Triage Agent did not see it (policy 2, V7)",
  (_, verification, policy, line) => {
    const issue = issueWith();
    const decision = decideAlone({ issue, outcome: unseen, verification });
    expect(decision).toMatchObject({ state: "needs-triage", policy: [policy], close: null });
    const comment = renderComment(decision, {
      issue,
      runId: "20260430T141500Z",
      markerKey: null,
      recording: null,
    });
    expect(comment).toContain(line);
    for (const word of [
      "Which version?",
      "It works on the default branch",
      "### Open questions",
      "and did not see",
    ])
      expect(comment).not.toContain(word);
    expect(comment).toContain(`reproduced=${verification.type === "flaky" ? "2/3" : "3/3"}`);
  },
);

test("the comment that README.md quotes has the evidence line of a verified bug (V7)", async () => {
  const found = { firstBad: null, firstFixed: "not yet", test: "node:test, fails before" };
  const grade = { verdict: "verified", runs: "5/5", controls: "0/4", place: "fresh", ...found } as const;
  const verification: Verification = {
    type: "reproduced",
    runs: [hit, hit, hit, hit, hit],
    reproduction,
    insight: { ...insight, grade },
  };
  const issue = issueWith();
  const decision = decideAlone({ issue, outcome: outcomeWith(), verification });
  const comment = renderComment(decision, {
    issue,
    runId: "20260430T141500Z",
    markerKey: null,
    recording: null,
  });
  const line = comment.split("\n").find((each) => each.startsWith("Reproduced in")) ?? "no such line";
  expect(await readFile(new URL("../../README.md", import.meta.url), "utf8")).toContain(`> ${line}\n`);
});
