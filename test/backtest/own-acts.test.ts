import { OperationalError } from "agent-tty/kit";
import { expect, test } from "vitest";
import {
  type GithubReader,
  type Issue,
  type IssueComment,
  renderTriageNotes,
  type TimelineFact,
} from "../../src/github/index.ts";
import { type BacktestPlan, backtestReport, describeBacktest, makePlan } from "../../src/backtest/index.ts";
import { issueAsOf } from "../../src/backtest/past/issue-as-of.ts";
import { withoutOwnActs } from "../../src/backtest/past/index.ts";
import { maintainerVerdict } from "../../src/backtest/maintainer-outcome.ts";
import { defaultLabelNames } from "../../src/triage/index.ts";
import { base, closed, closedIssue, comment, maintainer } from "./closed-issue.ts";

const later = "2026-02-02T00:00:00Z";
const declined: TimelineFact = { ...closed, at: later };
const robot = { id: 41, login: "triage-app[bot]", isBot: true };
const ourNotes = comment(
  renderTriageNotes({
    issue: 7,
    outcome: "wontfix",
    run: "20260101T000000Z",
    repo: "octo/widgets",
    body: "It is documented.",
  }),
  { id: 2, author: robot },
);

test.each([
  ["its current account", { viewerId: robot.id, trustedAuthors: [] }],
  ["an account whose markers it trusts", { viewerId: 5, trustedAuthors: ["Triage-App[bot]"] }],
])("a past issue contains no act of the program under %s (E7)", (_, own) => {
  const facts = {
    issue: closedIssue(),
    comments: [comment("seen before"), ourNotes],
    timeline: [
      { ...base, type: "labeled", label: "p1" },
      { ...base, type: "labeled", label: "bug", actor: robot },
      { ...base, type: "unlabeled", label: "p1", actor: robot },
    ] satisfies TimelineFact[],
    originalBody: null,
  };
  const past = issueAsOf(withoutOwnActs(facts, own), Date.parse(later), defaultLabelNames);
  expect(past.issue).toMatchObject({ labels: ["p1", "needs-triage"], commentCount: 1 });
  expect(past.comments.map(({ body }) => body)).toEqual(["seen before"]);
});

const ours = { ...base, actor: robot };
const weAsked: TimelineFact = { ...ours, type: "labeled", label: "needs-info" };
const weDeclined: TimelineFact = { ...ours, type: "labeled", label: "wontfix" };
const weClosed: TimelineFact = { ...ours, type: "closed", commit: null };
const handLabel: TimelineFact = { ...base, at: later, type: "labeled", label: "wontfix" };
const notesByHand = { ...ourNotes, author: maintainer };

test.each<[string, Partial<Issue>, TimelineFact[], IssueComment[], number, string]>([
  ["we asked", { labels: ["needs-info"] }, [weAsked, declined], [ourNotes], robot.id, "unknown"],
  ["we asked, and a maintainer reverted it", {}, [weAsked, declined], [ourNotes], robot.id, "unknown"],
  [
    "we declined and closed it",
    { labels: ["Wontfix"], stateReason: "not_planned" },
    [weDeclined, weClosed],
    [ourNotes],
    robot.id,
    "unknown",
  ],
  [
    "a bot under whose account we work declined it, and its notes are deleted",
    { labels: ["wontfix"], stateReason: "not_planned" },
    [weDeclined, weClosed],
    [],
    robot.id,
    "unknown",
  ],
  [
    "a maintainer declined it after we had closed it as a duplicate",
    { labels: ["wontfix"], stateReason: "duplicate" },
    [weClosed, handLabel],
    [ourNotes],
    robot.id,
    "declined",
  ],
  [
    "a maintainer added our label again",
    { labels: ["wontfix"] },
    [weDeclined, { ...base, type: "unlabeled", label: "wontfix" }, handLabel, closed],
    [ourNotes],
    robot.id,
    "declined",
  ],
  [
    "we work under a maintainer's account, which closed it",
    { stateReason: "not_planned" },
    [closed],
    [notesByHand],
    maintainer.id,
    "unknown",
  ],
  [
    "we work under a maintainer's account, which closed it by a commit",
    {},
    [{ ...closed, commit: "abc" }],
    [notesByHand],
    maintainer.id,
    "worked-on",
  ],
  [
    "we work under a maintainer's account, and never triaged the issue",
    { stateReason: "not_planned" },
    [closed],
    [],
    maintainer.id,
    "declined",
  ],
  [
    "the notes are from another account",
    { stateReason: "not_planned" },
    [closed],
    [notesByHand],
    robot.id,
    "declined",
  ],
])(
  "our own acts do not count as maintainers' acts when %s (E1, E2)",
  (_, change, timeline, comments, viewerId, outcome) => {
    const facts = { issue: closedIssue(change), comments, timeline };
    const others = withoutOwnActs(facts, { viewerId, trustedAuthors: [] });
    expect(maintainerVerdict(others, defaultLabelNames).outcome).toBe(outcome);
  },
);

/** The plan of a backtest of closed issues, of which a maintainer corrected our outcome on issue 7. */
function planOf(numbers: readonly number[], timeline: GithubReader["timeline"]): Promise<BacktestPlan> {
  const issues = numbers.map((number) => closedIssue({ ref: { repo: "octo/widgets", number } }));
  return makePlan(
    {
      name: "n",
      repo: "octo/widgets",
      seed: 1,
      size: numbers.length,
      cases: [{ number: 7, atMs: Date.parse(later), truth: "asked" }],
      labels: defaultLabelNames,
      trustedAuthors: [],
    },
    {
      history: {
        closedIssues: () => Promise.resolve(issues),
        originalBody: () => Promise.resolve(null),
        mergeCommit: () => Promise.resolve(null),
      },
      reader: {
        viewer: () => Promise.resolve(robot),
        issue: () => Promise.reject(new Error("no single issue was asked for")),
        comments: () => Promise.resolve([]),
        timeline,
      },
      past: {
        commitBefore: () => Promise.resolve("a".repeat(40)),
        isKnown: () => Promise.resolve(false),
        bundleAt: () => Promise.reject(new Error("no checkout was asked for")),
      },
      say: () => undefined,
    },
    new AbortController().signal,
  );
}

test("a maintainer's correction is the truth of its issue when the sample contains the issue (E7)", async () => {
  const plan = await planOf([7, 8], () => Promise.resolve([closed]));
  const found = plan.items.map(({ number, origin, truth }) => [number, origin, truth.outcome, truth.why]);
  expect(found).toHaveLength(2);
  expect(found).toEqual(
    expect.arrayContaining([
      [7, "sample", "asked", "corrected-by-maintainer"],
      [8, "sample", "unknown", "nothing-tells"],
    ]),
  );
  expect(plan.items.every((item) => item.atMs < Date.parse(later))).toBe(true);
});

test("an issue that was deleted or moved while the plan is made is left out, and the report says so (E1, E2)", async () => {
  const gone = { code: "GITHUB_ISSUE_GONE", message: "deleted", remedy: "", details: { reason: "deleted" } };
  const plan = await planOf([7, 8, 9], ({ number }) =>
    number === 8 ? Promise.reject(new OperationalError(gone)) : Promise.resolve([closed]),
  );
  expect(plan.items.map(({ number }) => number)).toEqual([7, 9]);
  expect(plan.left).toEqual([{ number: 8, why: "issue-deleted" }]);
  const report = backtestReport(plan, []);
  expect(report.left).toEqual({ "issue-deleted": 1 });
  expect(describeBacktest(report).lines).toContain("left out of the sample: 1 issue-deleted");
});
