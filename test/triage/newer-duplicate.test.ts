import { expect, test } from "vitest";
import { type Decision, noInsight } from "../../src/triage/index.ts";
import {
  comparedWithCandidate,
  decideAlone,
  issueWith,
  outcomeWith,
  reproduction,
  runWith,
} from "./facts.ts";

test("an issue is never reported or closed as a duplicate of a newer issue (D6)", () => {
  const issue = issueWith();
  const newer = { ...comparedWithCandidate, number: issue.ref.number + 1 };
  const decided = (compared: (typeof newer)[]): Decision =>
    decideAlone({
      issue,
      outcome: outcomeWith(),
      verification: {
        type: "reproduced",
        runs: [runWith(), runWith()],
        reproduction,
        insight: { ...noInsight, compared },
      },
      duplicates: { offered: [], closesProven: true },
    });
  expect(decided([newer])).toMatchObject({ state: "ready-for-agent", policy: ["reproduction-verified"] });
  const { policy, comment } = decided([newer, comparedWithCandidate]);
  expect(policy).toEqual(["proven-duplicate"]);
  expect(comment).toMatchObject({ findings: { duplicate: { number: comparedWithCandidate.number } } });
});
