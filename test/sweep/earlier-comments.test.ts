import { createVirtualClock } from "agent-tty/testing";
import { expect, test } from "vitest";
import type { Issue, IssueComment } from "../../src/github/index.ts";
import { createSweepWork, type SweepSettings, type SweptIssue } from "../../src/sweep/index.ts";
import { renderVerdict } from "../../src/sweep/comment/index.ts";
import { saidIn } from "../../src/sweep/work/said-in.ts";
import { type BatchContext, type Eligibility, snapshotHash } from "../../src/triage/index.ts";
import { brokenVerdict, fixedVerdict, sweptIssue } from "../support/swept-issue.ts";
import { issueWith, viewer } from "../triage/facts.ts";

const KEY = "a marker key of this test";
const DAY_MS = 24 * 3_600_000;
const clock = createVirtualClock();
const settings: SweepSettings = {
  query: [],
  closes: true,
  graceMs: 14 * DAY_MS,
  commentsPerDay: 20,
  shard: null,
  recheckMs: 30 * DAY_MS,
  asksTriageAgent: true,
};
const issue = issueWith({ ref: { repo: "octo/widgets", number: 4 }, commentCount: 1 });
const seen = snapshotHash(issue, [], viewer.id);

/** A sweep's comment as it stands on GitHub, on `about` and its comments so far. */
function comment(id: number, swept: SweptIssue, closeAfter: string | null = null): IssueComment {
  const context = {
    issue,
    runId: `20261101T00000${id % 10}Z`,
    markerKey: KEY,
    recording: null,
    denied: { count: 0, hosts: [] },
  };
  const at = "2026-11-01T00:00:00Z";
  const body = renderVerdict({ swept, closeAfter }, context);
  return { id, body, author: viewer, createdAt: at, updatedAt: at, url: `${issue.url}#${id}` };
}

/** What a home that knows `home` does with the issue next, and what it knows then. */
async function assessed(
  home: SweptIssue | null,
  comments: IssueComment[],
  now: Issue = issue,
): Promise<{ eligibility: Eligibility; kept: SweptIssue | null }> {
  let kept = home;
  const library = {
    read: () => Promise.resolve(kept),
    save: async (swept: SweptIssue) => void (kept = swept),
    all: () => Promise.resolve(kept === null ? [] : [kept]),
    everything: () => Promise.resolve(kept === null ? [] : [kept]),
  };
  const context = {
    viewer,
    settings: { onlyIssues: [], cooldownMs: DAY_MS, dryRun: false },
    ports: {
      clock,
      markers: { keys: [KEY], trustedAuthors: [] },
      store: { runsOfIssue: () => [] },
      reader: { comments: () => Promise.resolve(comments) },
    },
  } as unknown as BatchContext;
  const { signal } = new AbortController();
  const { eligibility } = await createSweepWork(settings, library, clock).assess(now, context, signal, null);
  return { eligibility, kept };
}

test("a comment that waits is still written where an earlier one with another verdict stands on the same text (W4, W5)", async () => {
  const earlier = comment(50, sweptIssue(4, brokenVerdict, { seen }));
  const waiting = sweptIssue(4, fixedVerdict, {
    seen,
    comment: { type: "due" },
    said: saidIn(earlier, brokenVerdict, issue),
  });
  expect(await assessed(waiting, [earlier])).toEqual({
    eligibility: { type: "eligible", reason: "comment-due" },
    kept: waiting,
  });
  const written = comment(51, waiting);
  const { eligibility, kept } = await assessed(waiting, [earlier, written]);
  expect(eligibility).toEqual({ type: "skipped", reason: "already-swept" });
  expect(kept).toMatchObject({ comment: { type: "published" }, said: { key: "fixed:1.2.0", commentId: 51 } });
});
