import { expect, test } from "vitest";
import type { Issue, IssueComment, TimelineFact } from "../../src/github/index.ts";
import { issueAsOf } from "../../src/backtest/past/issue-as-of.ts";
import { drawSample } from "../../src/backtest/past/index.ts";
import { maintainerVerdict } from "../../src/backtest/maintainer-outcome.ts";
import { defaultLabelNames } from "../../src/triage/index.ts";
import { base, closed, closedIssue, comment, maintainer, reporter } from "./closed-issue.ts";

const rows: [string, Partial<Issue>, TimelineFact[], IssueComment[], string, string][] = [
  ["a commit closed it", {}, [{ ...closed, commit: "abc" }], [], "worked-on", "closed-by-commit"],
  [
    "a merged pull request closed it",
    {},
    [{ ...base, type: "merged-fix", pull: 9 }, closed],
    [],
    "worked-on",
    "closed-by-pull-request",
  ],
  [
    "GitHub calls it a duplicate",
    { stateReason: "duplicate" },
    [closed],
    [],
    "duplicate",
    "marked-as-duplicate",
  ],
  [
    "it was marked as a duplicate",
    {},
    [{ ...base, type: "marked-as-duplicate" }],
    [],
    "duplicate",
    "marked-as-duplicate",
  ],
  [
    "a duplicate label wins over a closing commit",
    { labels: ["Duplicate"] },
    [{ ...closed, commit: "abc" }],
    [],
    "duplicate",
    "duplicate-label",
  ],
  [
    "the person who closed it called it a duplicate",
    {},
    [closed],
    [comment("Duplicate of #3")],
    "duplicate",
    "duplicate-comment",
  ],
  [
    "a stranger called it a duplicate",
    {},
    [closed],
    [comment("Duplicate of #3", { author: reporter })],
    "unknown",
    "nothing-tells",
  ],
  ["a label says invalid", { labels: ["resolution: invalid"] }, [closed], [], "declined", "declined-label"],
  [
    "more information was requested and it went stale",
    { labels: ["needs-info"], stateReason: "not_planned" },
    [closed],
    [],
    "asked",
    "asked-label",
  ],
  [
    "a label that was later removed asked for more",
    {},
    [{ ...base, type: "labeled", label: "needs more info" }, closed],
    [],
    "asked",
    "asked-label",
  ],
  [
    "it was closed as not planned",
    { stateReason: "not_planned" },
    [closed],
    [],
    "declined",
    "closed-as-not-planned",
  ],
  ["it was closed without a comment", {}, [closed], [], "unknown", "nothing-tells"],
];

test.each(rows)(
  "maintainerVerdict returns what maintainers did when %s (E1)",
  (_, change, timeline, comments, outcome, why) => {
    const verdict = maintainerVerdict({ issue: closedIssue(change), timeline, comments }, defaultLabelNames);
    expect(verdict).toMatchObject({ outcome, why });
  },
);

test("a past issue contains nothing that came later (E1)", () => {
  const later = "2026-01-20T00:00:00Z";
  const facts = {
    issue: closedIssue({ title: "Fixed by adding a check", labels: ["bug", "fixed", "ready-for-agent"] }),
    comments: [
      comment("seen before", { id: 1 }),
      comment("the fix is on line 3", { id: 2, createdAt: later, updatedAt: later }),
      comment("edited: the fix is on line 3", { id: 3, updatedAt: later }),
    ],
    timeline: [
      { at: "2026-01-01T00:00:02Z", actor: reporter, type: "labeled", label: "bug" },
      { at: later, actor: maintainer, type: "labeled", label: "fixed" },
      { at: later, actor: maintainer, type: "renamed", from: "it breaks", to: "Fixed by adding a check" },
    ] satisfies TimelineFact[],
    originalBody: { text: "as filed", firstEditAt: later },
  };
  const past = issueAsOf(facts, Date.parse("2026-01-03T00:00:00Z"), defaultLabelNames);
  expect(past.issue).toMatchObject({
    title: "it breaks",
    body: "as filed",
    state: "open",
    stateReason: null,
    labels: ["bug", "needs-triage"],
    milestone: null,
    reactionCount: 0,
    commentCount: 1,
  });
  expect(past.comments.map(({ body }) => body)).toEqual(["seen before"]);
  expect(past.gaps).toEqual(["comment-edited-since"]);
  const unknown = issueAsOf({ ...facts, originalBody: null }, 0, defaultLabelNames);
  expect(unknown.gaps).toContain("body-as-today");
  const edited = { text: "as filed", firstEditAt: "2026-01-02T00:00:00Z" };
  const between = issueAsOf(
    { ...facts, originalBody: edited },
    Date.parse("2026-01-03T00:00:00Z"),
    defaultLabelNames,
  );
  expect(between.gaps).toContain("body-edited-before");
});

test("a sample is the same for the same seed, contains every stratum, and follows their shares (E1)", () => {
  const all = Array.from({ length: 1_000 }, (_, index) => ({
    number: index + 1,
    stratum: index === 0 ? "rare" : index % 4 === 0 ? "some" : "most",
  }));
  const sample = drawSample(all, { size: 40, seed: 7 });
  expect(drawSample(all.toReversed(), { size: 40, seed: 7 })).toEqual(sample);
  expect(drawSample(all, { size: 40, seed: 8 })).not.toEqual(sample);
  const of = (stratum: string): number => sample.filter((one) => one.stratum === stratum).length;
  expect([of("rare"), of("some"), of("most")]).toEqual([1, 9, 30]);
  expect(drawSample(all, { size: 5_000, seed: 1 })).toHaveLength(1_000);
});

const later = "2026-02-02T00:00:00Z";
const latest = "2026-02-03T00:00:00Z";
const reopened: TimelineFact = { ...base, at: later, type: "reopened" };
const declined: TimelineFact = { ...closed, at: latest };
const unmarked: TimelineFact = { ...base, at: later, type: "unmarked-as-duplicate" };
const unlabeled = (label: string): TimelineFact => ({ ...base, at: later, type: "unlabeled", label });
const saysDuplicate = comment("Duplicate of #3");

test.each<[string, Partial<Issue>, TimelineFact[], IssueComment[], string]>([
  [
    "a commit closed it before it was reopened",
    {},
    [{ ...closed, commit: "abc" }, reopened, declined],
    [],
    "unknown",
  ],
  [
    "a pull request closed it before it was reopened and declined",
    { stateReason: "not_planned" },
    [{ ...base, type: "merged-fix", pull: 9 }, closed, reopened, declined],
    [],
    "declined",
  ],
  [
    "a commit closed it after it was reopened",
    {},
    [closed, reopened, { ...declined, commit: "abc" }],
    [],
    "worked-on",
  ],
  ["it is open again", { state: "open" }, [{ ...closed, commit: "abc" }, reopened], [], "unknown"],
  [
    "its mark as a duplicate was removed",
    {},
    [{ ...base, type: "marked-as-duplicate" }, unmarked, declined],
    [],
    "unknown",
  ],
  [
    "the comment that calls it a duplicate is hidden",
    {},
    [closed],
    [{ ...saysDuplicate, isMinimised: true }],
    "unknown",
  ],
  [
    "the label that called it a duplicate was removed",
    {},
    [
      { ...base, type: "labeled", label: "duplicate" },
      unlabeled("duplicate"),
      { ...declined, commit: "abc" },
    ],
    [],
    "worked-on",
  ],
  [
    "the label that called it invalid was removed",
    {},
    [{ ...base, type: "labeled", label: "invalid" }, unlabeled("invalid"), declined],
    [],
    "unknown",
  ],
  [
    "the label that asked for more was removed after the answer",
    {},
    [{ ...base, type: "labeled", label: "needs-info" }, unlabeled("needs-info"), declined],
    [],
    "asked",
  ],
  [
    "the comment that calls it a duplicate is from before it was reopened",
    {},
    [closed, reopened, { ...declined, commit: "abc" }],
    [saysDuplicate],
    "worked-on",
  ],
  [
    "a pull request that mentioned it before it was reopened was merged after that",
    {},
    [closed, reopened, { ...base, at: latest, type: "merged-fix", pull: 8 }, declined],
    [],
    "worked-on",
  ],
  ["the comment that calls it a duplicate is shown", {}, [closed], [saysDuplicate], "duplicate"],
])("acts that maintainers reverted do not count when %s (E1)", (_, change, timeline, comments, outcome) => {
  const facts = { issue: closedIssue(change), comments, timeline };
  expect(maintainerVerdict(facts, defaultLabelNames).outcome).toBe(outcome);
});

test("a past issue omits a hidden comment, and the report counts it (E1)", () => {
  const comments = [comment("shown"), comment("hidden", { id: 2, isMinimised: true })];
  const facts = { issue: closedIssue(), comments, timeline: [], originalBody: null };
  const past = issueAsOf(facts, Date.parse("2026-01-03T00:00:00Z"), defaultLabelNames);
  expect(past).toMatchObject({ comments: [{ body: "shown" }], gaps: ["body-as-today", "comment-hidden"] });
});
