import { expect, test } from "vitest";
import { renderComment } from "../../src/triage/index.ts";
import { decideAlone, issueWith, outcomeWith, reproduction, runWith } from "./facts.ts";

test("triage notes about an unproven reproduction say what ran, what it showed and why it proves nothing, and the marker contains the grade (V3, V7)", () => {
  const grade = {
    verdict: "vacuous",
    runs: "3/3",
    controls: "1/4",
    place: "fresh",
    firstBad: null,
    firstFixed: null,
    test: null,
  } as const;
  const reason = "the claim shows whatever the product answers";
  const runs = [runWith(), runWith(), runWith()];
  const verification = { type: "unproven", reason, runs, reproduction, grade } as const;
  const issue = issueWith();
  const decision = decideAlone({ issue, outcome: outcomeWith({}), verification });
  const comment = renderComment(decision, {
    issue,
    runId: "20260430T141500Z",
    markerKey: null,
    recording: null,
  });
  expect(comment).toContain("does not prove the bug");
  expect(comment).toContain("showed its claim in 3 of 3 runs");
  expect(comment).toContain(reason);
  expect(comment).toContain("vacuous: 3 of 3 runs, 1 of 4 control runs show it too");
  expect(comment).toContain("reproduced=3/3");
  expect(comment).toContain("evidence=vacuous:3/3:1/4:fresh");
});
