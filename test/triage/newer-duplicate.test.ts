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

const issue = issueWith();

/** Returns the decision on a verified bug of which these issues have the same cause. */
const decided = (compared: (typeof comparedWithCandidate)[]): Decision =>
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

test("an issue is never reported or closed as a duplicate of a newer issue (D6)", () => {
  const newer = { ...comparedWithCandidate, number: issue.ref.number + 1 };
  expect(decided([newer])).toMatchObject({ state: "ready-for-agent", policy: ["reproduction-verified"] });
  const { policy, comment } = decided([newer, comparedWithCandidate]);
  expect(policy).toEqual(["proven-duplicate"]);
  expect(comment).toMatchObject({ findings: { duplicate: { number: comparedWithCandidate.number } } });
});

test("a bug that shows today is closed as a duplicate of an open issue only, not of one that is closed itself (D5, D6)", () => {
  const closed = { ...comparedWithCandidate, state: "closed", number: 3 } as const;
  expect(decided([closed])).toMatchObject({
    state: "ready-for-agent",
    close: null,
    policy: ["reproduction-verified", "proven-duplicate"],
  });
  expect(decided([closed, comparedWithCandidate])).toMatchObject({
    close: "duplicate",
    canonical: comparedWithCandidate.number,
    comment: { findings: { duplicate: { number: comparedWithCandidate.number } } },
  });
});
