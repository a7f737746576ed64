import { describe, expect, test } from "vitest";
import type { DuplicateCandidate } from "../../src/duplicates/index.ts";
import {
  conflictingLabels,
  decide,
  decideConflictingLabels,
  defaultLabelNames,
  needsVerification,
  type Outcome,
  type Verification,
  noInsight,
} from "../../src/triage/index.ts";
import {
  candidate,
  comparedWithCandidate,
  decideAlone,
  decideWithout,
  issueWith,
  outcomeWith,
  reproduction,
  runWith,
} from "./facts.ts";

const hit = runWith();
const miss = runWith({ exitCode: 0, matched: false });
const notAttempted: Verification = { type: "not-attempted" };
const reproduced: Verification = {
  type: "reproduced",
  runs: [hit, hit, hit],
  reproduction,
  insight: noInsight,
};
const proven: Verification = { ...reproduced, insight: { ...noInsight, compared: [comparedWithCandidate] } };
const flaky: Verification = {
  type: "flaky",
  matchedRuns: 2,
  runs: [hit, miss, hit],
  reproduction,
  insight: noInsight,
};
const notReproduced: Verification = {
  type: "not-reproduced",
  runs: [miss, miss, miss],
  reproduction,
  grade: null,
};
const impossible: Verification = { type: "impossible", reason: "npm ci failed" };
const grade = {
  verdict: "vacuous",
  runs: "3/3",
  controls: "1/4",
  place: "fresh",
  firstBad: null,
  firstFixed: null,
  test: null,
} as const;
const unproven: Verification = {
  type: "unproven",
  reason: "the claim shows whatever the product answers",
  runs: [hit, hit, hit],
  reproduction,
  grade,
};
const inPart: Verification = {
  ...reproduced,
  insight: { ...noInsight, grade: { ...grade, verdict: "verified-in-part", controls: "0/2" } },
};
const why = { reason: "documented", outOfScope: null };

interface Row {
  outcome?: Partial<Outcome>;
  verification?: Verification;
  answered?: readonly string[];
  offered?: readonly DuplicateCandidate[];
  closesProven?: boolean;
}

function check(row: Row, expected: string): void {
  const { outcome, verification = notAttempted, answered = [], offered = [], closesProven = false } = row;
  const duplicates = { offered, closesProven };
  const facts = { issue: issueWith(), outcome: outcomeWith(outcome), verification, duplicates };
  const decided = decide(facts, (question) => answered.includes(question), []);
  const { state, category, close, policy, comment, labels } = decided;
  expect(labels).toBe("set");
  expect(category).toBe(facts.outcome.category);
  const closing = close === null ? "" : ` closed:${close}`;
  expect(`${state}${closing} [${policy.join(" ")}] ${comment.template}`).toBe(expected);
}

describe("outcomes become decisions (policy 1, policy 2, policy 3; A26, A31, A32, T6)", () => {
  const low = { confidence: "low" } as const;
  const questions = ["Which version?"];
  const LOW_ASKED = "needs-info [low-confidence] needs-info";
  const LOW_NOTES = "needs-triage [low-confidence] needs-triage";
  test.each<[string, Row, string]>([
    ["bug, n of n", { verification: reproduced }, "ready-for-agent [reproduction-verified] ready-for-agent"],
    [
      "bug, n of n without an adapter for its language (V2)",
      { verification: inPart },
      "ready-for-agent [reproduction-verified-in-part] ready-for-agent",
    ],
    [
      "bug, unproven runs (V3)",
      { verification: unproven },
      "needs-triage [reproduction-unproven] needs-triage",
    ],
    ["bug, k of n", { verification: flaky }, "ready-for-agent [reproduction-flaky] ready-for-agent"],
    ["bug, 0 of n", { verification: notReproduced }, "needs-info [reproduction-not-verified] needs-info"],
    [
      "bug, no checkout for the runs",
      { verification: impossible },
      "needs-triage [verification-impossible] needs-triage",
    ],
    ["bug, never verified", {}, "needs-triage [incomplete-outcome] needs-triage"],
    [
      "bug, no brief",
      { outcome: { brief: null }, verification: reproduced },
      "needs-triage [incomplete-outcome] needs-triage",
    ],
    [
      "enhancement with a brief",
      { outcome: { category: "enhancement" } },
      "ready-for-agent [] ready-for-agent",
    ],
    [
      "enhancement without",
      { outcome: { category: "enhancement", brief: null } },
      "needs-triage [incomplete-outcome] needs-triage",
    ],
    ["unsure, with questions", { outcome: { ...low, questions } }, LOW_ASKED],
    ["unsure, without questions", { outcome: low }, LOW_NOTES],
    ["unsure, even if verified", { outcome: low, verification: reproduced }, LOW_NOTES],
    [
      "unsure wontfix never closes",
      { outcome: { ...low, questions, outcome: "wontfix", wontfix: why } },
      LOW_ASKED,
    ],
    ["unsure ready-for-human", { outcome: { ...low, outcome: "ready-for-human" } }, LOW_NOTES],
    [
      "unsure needs-triage stays needs-triage",
      { outcome: { ...low, questions, outcome: "needs-triage" } },
      "needs-triage [] needs-triage",
    ],
    [
      "medium confidence is sufficient",
      { outcome: { confidence: "medium" }, verification: reproduced },
      "ready-for-agent [reproduction-verified] ready-for-agent",
    ],
    ["needs-info", { outcome: { outcome: "needs-info", questions } }, "needs-info [] needs-info"],
    ["ready-for-human", { outcome: { outcome: "ready-for-human" } }, "ready-for-human [] ready-for-human"],
    ["needs-triage", { outcome: { outcome: "needs-triage" } }, "needs-triage [] needs-triage"],
    [
      "bug wontfix",
      { outcome: { outcome: "wontfix", wontfix: why } },
      "wontfix closed:not_planned [bug-wontfix] wontfix",
    ],
    [
      "wontfix without a reason",
      { outcome: { outcome: "wontfix" } },
      "needs-triage [incomplete-outcome] needs-triage",
    ],
    [
      "enhancement wontfix",
      { outcome: { category: "enhancement", outcome: "wontfix", wontfix: why } },
      "ready-for-human [enhancement-wontfix] ready-for-human",
    ],
    [
      "a duplicate that was chosen from the candidates is reported but not closed (D2)",
      { outcome: { duplicateOf: 7 }, verification: reproduced, offered: [candidate] },
      "ready-for-agent [reproduction-verified possible-duplicate] ready-for-agent",
    ],
    [
      "a duplicate that is not a candidate is rejected (D2)",
      { outcome: { duplicateOf: 8 }, verification: reproduced, offered: [candidate] },
      "ready-for-agent [reproduction-verified duplicate-not-offered] ready-for-agent",
    ],
    [
      "a proven duplicate is reported but not closed, unless closing is configured (D5, D6)",
      { outcome: { duplicateOf: 7 }, verification: proven, offered: [candidate] },
      "ready-for-agent [reproduction-verified proven-duplicate] ready-for-agent",
    ],
    [
      "a proven duplicate is closed as a duplicate when that is configured (D6)",
      { verification: proven, offered: [candidate], closesProven: true },
      "wontfix closed:duplicate [proven-duplicate] duplicate",
    ],
    [
      "a chosen duplicate without a proof is never closed (D6)",
      { outcome: { duplicateOf: 7 }, verification: reproduced, offered: [candidate], closesProven: true },
      "ready-for-agent [reproduction-verified possible-duplicate] ready-for-agent",
    ],
  ])("%s", (_, row, expected) => check(row, expected));
});

describe("an answered question is not asked again (T2)", () => {
  const questions = ["Which version?", "Which input?"];
  const asking = { outcome: { outcome: "needs-info", questions } } as const;
  const unsure = { outcome: { confidence: "low", questions } } as const;
  const miss3 = { outcome: { questions }, verification: notReproduced };
  const DROPPED = "answered-question-dropped";
  const SHOWN = "needs-triage [reproduction-verified] needs-triage";
  test.each<[string, Row, string]>([
    ["one of two", { ...asking, answered: ["Which version?"] }, `needs-info [${DROPPED}] needs-info`],
    ["none, because the bug shows (policy 2)", { ...asking, verification: reproduced }, SHOWN],
    ["both", { ...asking, answered: questions }, `needs-triage [${DROPPED}] needs-triage`],
    ["another one", { ...asking, answered: ["Which shell?"] }, "needs-info [] needs-info"],
    [
      "unsure, one of two",
      { ...unsure, answered: ["Which input?"] },
      `needs-info [low-confidence ${DROPPED}] needs-info`,
    ],
    [
      "unsure, both",
      { ...unsure, answered: questions },
      `needs-triage [low-confidence ${DROPPED}] needs-triage`,
    ],
    [
      "0 of n, both",
      { ...miss3, answered: questions },
      `needs-triage [reproduction-not-verified ${DROPPED}] needs-triage`,
    ],
  ])("%s", (_, row, expected) => check(row, expected));

  const asked = (row: Row): unknown => {
    const facts = { issue: issueWith(), outcome: outcomeWith(row.outcome), verification: notReproduced };
    return decide(facts, (question) => row.answered?.includes(question) === true, []).comment;
  };

  test("the other questions are asked, in their order", () =>
    expect(asked({ ...asking, answered: ["Which version?"] })).toMatchObject({
      questions: ["Which input?"],
    }));

  test("generic questions are asked once when the Triage Agent has none", () => {
    const first = asked({}) as { questions: string[] };
    expect(first.questions).toHaveLength(2);
    expect(asked({ answered: first.questions.slice(0, 1) })).toMatchObject({
      questions: first.questions.slice(1),
    });
    expect(asked({ answered: first.questions })).toMatchObject({
      template: "needs-triage",
      tried: { type: "verified" },
      questions: [],
    });
    const wished = { category: "enhancement", outcome: "needs-info" } as const;
    expect(asked({ outcome: wished })).toMatchObject({
      questions: [expect.stringContaining("example"), expect.any(String)],
    });
  });
});

test("after 0 of n the comment lists the parent's runs but not the Triage Agent's claim (A32)", () => {
  const { comment } = decideAlone({
    issue: issueWith(),
    outcome: outcomeWith(),
    verification: notReproduced,
  });
  expect(comment).toMatchObject({
    template: "needs-info",
    findings: { established: [] },
    tried: { type: "verified", runs: [{ exitCode: 0 }, { exitCode: 0 }, { exitCode: 0 }] },
  });
  expect(JSON.stringify(comment)).not.toContain("reads the first entry");
});

test("an issue without a valid outcome stays needs-triage, gets notes and keeps its category (A31)", () => {
  expect(decideWithout("it wrote nothing")).toMatchObject({
    state: "needs-triage",
    category: null,
    close: null,
    policy: ["no-valid-outcome"],
    comment: { template: "needs-triage", problem: "it wrote nothing" },
  });
});

describe("the parent verifies ready bugs with a script (T8)", () => {
  test.each<[Partial<Outcome>, boolean]>([
    [{}, true],
    [{ confidence: "low" }, false],
    [{ category: "enhancement" }, false],
    [{ outcome: "needs-info" }, false],
    [{ brief: null }, false],
    [{ reproduction: null }, false],
    [{ reproduction: { ...reproduction, script: null } }, false],
  ])("%j: %s", (change, expected) => expect(needsVerification(outcomeWith(change))).toBe(expected));
});

describe("conflicting labels on arrival (policy 4)", () => {
  test.each<[string[], { categories: string[]; states: string[] } | null]>([
    [[], null],
    [["bug", "needs-triage", "p1", "good first issue"], null],
    [["Bug", "enhancement", "needs-triage"], { categories: ["Bug", "enhancement"], states: [] }],
    [["needs-triage", "wontfix"], { categories: [], states: ["wontfix", "needs-triage"] }],
    [
      ["bug", "enhancement", "needs-info", "needs-triage"],
      { categories: ["bug", "enhancement"], states: ["needs-info", "needs-triage"] },
    ],
  ])("%j", (labels, expected) => expect(conflictingLabels(labels, defaultLabelNames)).toEqual(expected));

  test("they lead only to a comment", () => {
    const conflict = { categories: ["bug", "enhancement"], states: [] };
    expect(decideConflictingLabels(conflict)).toEqual({
      state: "needs-info",
      category: null,
      close: null,
      labels: "leave",
      policy: ["conflicting-labels"],
      comment: { template: "conflicting-labels", conflict },
    });
  });
});
