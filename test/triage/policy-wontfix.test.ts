import { expect, test } from "vitest";
import { decide, type Outcome } from "../../src/triage/index.ts";
import { issueWith, outcomeWith } from "./facts.ts";

const wontfix = { reason: "It is meant to be so.", outOfScope: null };
const rows: [string, Partial<Outcome>, string][] = [
  ["at high confidence with an established fact is closed", {}, "wontfix closed [bug-wontfix]"],
  [
    "at medium confidence is left to a person",
    { confidence: "medium" },
    "ready-for-human open [bug-wontfix-uncertain]",
  ],
  [
    "without an established fact is left to a person",
    { established: [] },
    "ready-for-human open [bug-wontfix-uncertain]",
  ],
  [
    "with only blank facts is left to a person",
    { established: ["", "  "] },
    "ready-for-human open [bug-wontfix-uncertain]",
  ],
];

test.each(rows)("a bug that is proposed as wontfix %s (V12)", (_, change, expected) => {
  const outcome = outcomeWith({ outcome: "wontfix", wontfix, ...change });
  const facts = { issue: issueWith(), outcome, verification: { type: "not-attempted" } as const };
  const decision = decide(facts, () => false, []);
  const { state, close, policy, comment } = decision;
  expect(`${state} ${close === null ? "open" : "closed"} [${policy.join()}]`).toBe(expected);
  if (close === null)
    expect(comment).toMatchObject({
      template: "ready-for-human",
      why: { type: "proposed-wontfix", wontfix: { reason: wontfix.reason } },
    });
});
