import { createVirtualClock } from "agent-tty/testing";
import { expect, test } from "vitest";
import type { Issue } from "../../src/github/index.ts";
import { createSweepWork, type SweepSettings, type SweptIssue } from "../../src/sweep/index.ts";
import type { BatchContext, BatchSettings, Selection } from "../../src/triage/index.ts";
import { brokenVerdict, fixedVerdict, sweptIssue } from "../support/swept-issue.ts";
import { issueWith, viewer } from "../triage/facts.ts";

const DAY_MS = 24 * 3_600_000;
const clock = createVirtualClock();
const sweepSettings: SweepSettings = {
  query: [],
  closes: false,
  graceMs: 14 * DAY_MS,
  commentsPerDay: 20,
  shard: null,
  recheckMs: 30 * DAY_MS,
  asksTriageAgent: true,
};
const numbered = (number: number, change: Partial<Issue> = {}): Issue =>
  issueWith({ ref: { repo: "octo/widgets", number }, commentCount: 1, ...change });

/** Selects among open issues; `read`: those whose comments were read, in order; `kept`: what the home knows then. */
async function selected(
  issues: readonly Issue[],
  known: readonly SweptIssue[] = [],
  settings: Partial<BatchSettings> = {},
  commentsPerDay = sweepSettings.commentsPerDay,
): Promise<{ selection: Selection; read: number[]; kept: Map<number, SweptIssue> }> {
  const read: number[] = [];
  const kept = new Map(known.map((one) => [one.number, one]));
  const library = {
    read: ({ number }: { number: number }) => Promise.resolve(kept.get(number) ?? null),
    save: async (swept: SweptIssue) => void kept.set(swept.number, swept),
    all: () => Promise.resolve([...kept.values()]),
    everything: () => Promise.resolve([...kept.values()]),
  };
  const reader = {
    listOpenIssues: () => Promise.resolve(issues),
    comments: async ({ number }: { number: number }) => (read.push(number), []),
  };
  const context = {
    viewer,
    stop: new AbortController().signal,
    settings: {
      repos: ["octo/widgets"],
      onlyIssues: [],
      shard: null,
      dryRun: false,
      maxIssues: null,
      cooldownMs: DAY_MS,
      budget: { runsPerAuthor: null },
      ...settings,
    },
    ports: {
      clock,
      markers: { keys: [], trustedAuthors: [] },
      store: { runsOfIssue: () => [] },
      reproductions: { read: () => Promise.resolve(null) },
      reader,
    },
  } as unknown as BatchContext;
  const work = createSweepWork({ ...sweepSettings, commentsPerDay }, library, clock);
  const selection = await work.select(context);
  return { selection, read, kept };
}

const chosen = ({ candidates }: Selection): number[] => candidates.map(({ issue }) => issue.ref.number);

test("a sweep reads the comments of no more issues than it takes, the cheapest issues first (W5, P13)", async () => {
  const script = "```js\nrequire('widgets').first([])\n```";
  const issues = Array.from({ length: 200 }, (_, index) =>
    numbered(index + 1, { body: index >= 190 ? script : "It throws." }),
  );
  const { selection, read } = await selected(issues, [], { maxIssues: 12 });
  expect(read).toEqual([191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 1, 2]);
  expect(chosen(selection)).toEqual(read);
  expect(selection.skipped).toHaveLength(188);
  expect(selection.skipped).toContainEqual({
    ref: { repo: "octo/widgets", number: 3 },
    reason: "max-issues",
  });
});

test("a sweep reads further issues if those that it has read turn out not to be due (W5)", async () => {
  const issues = [1, 2, 3, 4].map((number) =>
    numbered(number, {
      body: number < 3 ? "It allows remote code execution (CVE-2026-1234)." : "It throws.",
    }),
  );
  const { selection, read } = await selected(issues, [], { maxIssues: 1 });
  expect(read).toEqual([1, 2, 3]);
  expect(chosen(selection)).toEqual([3]);
});

test("issues that were never swept take every second place, however many issues with a verdict are due again (W5)", async () => {
  const script = "```js\nrequire('widgets').first([])\n```";
  const issues = [
    ...Array.from({ length: 20 }, (_, index) => numbered(index + 1, { body: script })),
    ...Array.from({ length: 20 }, (_, index) => numbered(index + 101)),
  ];
  const rechecked = issues.slice(0, 20).map(({ ref }) => sweptIssue(ref.number, brokenVerdict));
  const { selection, read } = await selected(issues, rechecked, { maxIssues: 6 });
  expect(chosen(selection)).toEqual([101, 1, 102, 2, 103, 3]);
  expect(read).toEqual(chosen(selection));
  const rest = await selected(issues.slice(0, 22), rechecked, { maxIssues: 6 });
  expect(chosen(rest.selection)).toEqual([101, 1, 102, 2, 3, 4]);
});

test("issues beyond an author's limit leave their places under --max-issues to other authors (S14, W5)", async () => {
  const other = { id: 77, login: "other", isBot: false };
  const issues = [1, 2, 3, 4].map((number) => numbered(number, number === 4 ? { author: other } : {}));
  const budget = { runsPerAuthor: 1 } as BatchSettings["budget"];
  const { selection } = await selected(issues, [], { maxIssues: 2, budget });
  expect(chosen(selection)).toEqual([1, 4]);
});

test("an issue that has nothing due, is locked or waits for its day is skipped without reading its comments (W5)", async () => {
  const issues = [numbered(1), numbered(2, { locked: true }), numbered(3)];
  const known = [
    sweptIssue(1, fixedVerdict, { updatedAt: numbered(1).updatedAt }),
    sweptIssue(3, brokenVerdict, { updatedAt: numbered(3).updatedAt, comment: { type: "due" } }),
  ];
  const { selection, read } = await selected(issues, known, {}, 0);
  expect(read).toEqual([]);
  expect(selection.skipped.map(({ reason }) => reason)).toEqual([
    "already-swept",
    "issue-locked",
    "comment-limit",
  ]);
});

test("the home records from the list of open issues which swept issues are closed, and which are open again (W6)", async () => {
  const known = [1, 2, 3].map((number) => sweptIssue(number, fixedVerdict, { isOpen: number !== 3 }));
  const open = [numbered(2), numbered(3)];
  const { kept } = await selected(open, known);
  expect([1, 2, 3].map((number) => kept.get(number)?.isOpen)).toEqual([false, true, true]);
  const others = [
    { settings: { dryRun: true } },
    // Those of another shard are that shard's to write.
    { settings: { shard: { index: 1, count: 4 } } },
  ];
  for (const { settings } of others)
    expect((await selected([], [sweptIssue(1, fixedVerdict)], settings)).kept.get(1)?.isOpen).toBe(true);
});
