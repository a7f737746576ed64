import * as fc from "fast-check";
import {
  decideConflictingLabels,
  type Decision,
  type KeptFile,
  type VerificationInsight,
  renderComment,
} from "../../../src/triage/index.ts";
import { issueWith, runWith } from "../../triage/facts.ts";
import { hostileText } from "./hostile-text.ts";

const text = hostileText(14);
const list = fc.array(text, { minLength: 1, maxLength: 3 });

const findings = fc.record({
  summary: text,
  established: list,
  duplicate: fc.option(
    fc.record({
      number: fc.constant(7),
      state: fc.constantFrom("open" as const, "closed" as const),
      proof: fc.constant(null),
      reasons: list,
    }),
  ),
});
const brief = fc.record({
  currentBehavior: text,
  desiredBehavior: text,
  keyInterfaces: list,
  acceptanceCriteria: list,
  outOfScope: list,
});
const reproduction = fc.record({
  attempted: fc.constant(true),
  reproduced: fc.boolean(),
  script: fc.option(text),
  expect: fc.option(fc.record({ exitCode: fc.constantFrom(null, 1), outputContains: fc.option(text) })),
  expected: text,
  actual: text,
  environment: text,
});
const runs = fc.array(
  fc.record({ outputExcerpt: text, screenHash: text }).map((change) => runWith(change)),
  { minLength: 1, maxLength: 2 },
);
const grade = fc.constantFrom<VerificationInsight["grade"][]>(null, {
  verdict: "verified",
  runs: "3/3",
  controls: "0/4",
  place: "same",
  firstBad: "v1.2.0",
  firstFixed: "not yet",
  test: "vitest, fails before",
});
const tried = fc.oneof(
  fc.record({ type: fc.constant("reported" as const), reproduction }),
  fc.record({ type: fc.constant("verified" as const), reproduction, runs, grade }),
);
const insight = fc.record({
  commit: fc.constantFrom(null, "0123456789abcdef0123456789abcdef01234567"),
  sameFailureAs: fc.constantFrom([], [8, 9]),
  compared: fc.constant([]),
  range: fc.option(
    fc.record({
      firstBad: fc.record({ type: fc.constant("unknown" as const), reason: text }),
      firstFixed: fc.record({ type: fc.constant("unknown" as const), reason: text }),
      flips: fc.constant(1),
      notes: list,
    }),
  ),
  test: fc.option(
    fc.record({ type: fc.constant("unproven" as const), planned: fc.constant(null), reason: text }),
  ),
  grade,
});
const evidence = fc
  .record({ reproduction, runs, insight })
  .map((facts) => Object.assign(facts, { matchedRuns: facts.runs.length }));
const wontfix = fc.record({
  reason: text,
  outOfScope: fc.option(fc.record({ concept: fc.constant("plug-ins"), entry: text })),
});
const labels = fc.record({ categories: list, states: list });

const content = fc.oneof(
  fc.record({
    template: fc.constant("needs-info" as const),
    findings,
    tried: fc.option(tried),
    questions: list,
  }),
  fc.record({
    template: fc.constant("ready-for-agent" as const),
    findings,
    brief,
    evidence: fc.option(evidence),
  }),
  fc.record({
    template: fc.constant("ready-for-human" as const),
    why: fc.oneof(
      fc.record({ type: fc.constant("judgement" as const), findings, brief: fc.option(brief) }),
      fc.record({ type: fc.constant("proposed-wontfix" as const), findings, wontfix }),
      fc.record({ type: fc.constant("security-report" as const) }),
    ),
  }),
  fc.record({ template: fc.constant("wontfix" as const), findings, reason: text }),
  fc.record({ template: fc.constant("duplicate" as const), findings }),
  fc.record({
    template: fc.constant("needs-triage" as const),
    problem: text,
    findings: fc.option(findings),
    tried: fc.option(tried),
    questions: list,
  }),
  fc.record({ template: fc.constant("conflicting-labels" as const), conflict: labels }),
);

const location = fc.constantFrom<KeptFile["location"][]>(
  { type: "home" },
  { type: "base", url: "https://evidence.example/runs/" },
  { type: "actions-run", url: "https://github.com/octo/widgets/actions/runs/7" },
);

const base: Decision = decideConflictingLabels({ categories: ["bug", "enhancement"], states: [] });

/** Generates comments of every template, as they would be published, with hostile text in every field from outside. */
export const generatedComments: fc.Arbitrary<string> = fc
  .record({
    content,
    recording: fc.option(fc.record({ path: text, location })),
    denied: fc.option(fc.record({ count: fc.nat(), hosts: list })),
  })
  .map(({ content: comment, recording, denied }) =>
    renderComment(
      { ...base, comment },
      { issue: issueWith(), runId: "20260430T141500Z", markerKey: null, recording, denied },
    ),
  );
