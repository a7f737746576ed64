import { createVirtualClock } from "agent-tty/testing";
import { expect, test } from "vitest";
import type { Issue, IssueComment } from "../../src/github/index.ts";
import { createSweepWork, type SweepSettings, type SweptIssue } from "../../src/sweep/index.ts";
import { renderVerdict } from "../../src/sweep/comment/index.ts";
import { noteVerdict } from "../../src/sweep/work/note-verdict.ts";
import { publishableVerdict } from "../../src/sweep/work/publishable-verdict.ts";
import { saidIn } from "../../src/sweep/work/said-in.ts";
import {
  type BatchContext,
  type Eligibility,
  type Publishable,
  snapshotHash,
} from "../../src/triage/index.ts";
import { brokenVerdict, fixedVerdict, sweptIssue } from "../support/swept-issue.ts";
import { issueWith, reporter, viewer } from "../triage/facts.ts";

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
const ports = { clock, markers: { keys: [KEY], trustedAuthors: [] }, runsDirectory: "/home/runs" };
const trust = { levelOf: () => "apply" as const };
const issue = issueWith({ ref: { repo: "octo/widgets", number: 4 }, commentCount: 1 });
const seen = snapshotHash(issue, [], viewer.id);

/** A sweep's comment as GitHub returns it. */
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

/** Returns what a home with the facts `home` does with the issue next, what it publishes without a run, and what it knows then. */
async function assessed(
  home: SweptIssue | null,
  comments: IssueComment[],
  now: Issue = issue,
): Promise<{
  eligibility: Eligibility;
  early: Publishable | null;
  kept: SweptIssue | null;
  published: (written: IssueComment) => Promise<SweptIssue | null>;
}> {
  let kept = home;
  const library = {
    read: () => Promise.resolve(kept),
    save: async (swept: SweptIssue) => void (kept = swept),
    all: () => Promise.resolve(kept === null ? [] : [kept]),
    everything: () => Promise.resolve(kept === null ? [] : [kept]),
  };
  const context = {
    viewer,
    trust,
    settings: { onlyIssues: [], cooldownMs: DAY_MS, dryRun: false },
    ports: {
      ...ports,
      store: { runsOfIssue: () => [] },
      reader: { comments: () => Promise.resolve(comments) },
    },
  } as unknown as BatchContext;
  const { signal } = new AbortController();
  const work = createSweepWork(settings, library, clock);
  const fresh = await work.assess(now, context, signal, null);
  const early = await work.early(fresh, context);
  const published = async (written: IssueComment): Promise<SweptIssue | null> => {
    await work.published({ comment: written, issue: now });
    return kept;
  };
  return { eligibility: fresh.eligibility, early, kept, published };
}

test("a due comment is still written if an earlier comment on the same text has another verdict (W4, W5)", async () => {
  const earlier = comment(50, sweptIssue(4, brokenVerdict, { seen }));
  const waiting = sweptIssue(4, fixedVerdict, {
    seen,
    comment: { type: "due" },
    said: saidIn(earlier, "still-broken:1.1.0", null),
  });
  expect(await assessed(waiting, [earlier])).toMatchObject({
    eligibility: { type: "eligible", reason: "comment-due" },
    kept: waiting,
  });
  const written = comment(51, waiting);
  const { eligibility, kept } = await assessed(waiting, [earlier, written]);
  expect(eligibility).toEqual({ type: "skipped", reason: "already-swept" });
  expect(kept).toMatchObject({ comment: { type: "published" }, said: { key: "fixed:1.2.0", commentId: 51 } });
});

/** Returns the facts that a home keeps about its verdict, and whether a comment on it would propose a close. */
function concluded(
  before: SweptIssue | null,
  comments: IssueComment[],
  verdict: SweptIssue["verdict"] = fixedVerdict,
): { noted: SweptIssue; policy: readonly string[] } {
  const found = { verdict, examined: { origin: "issue" as const, reproduction: null }, before };
  const record = { evidence: null, usage: { inputTokens: 0, outputTokens: 0, usd: 0 } };
  const context = { runId: "20261106T000000Z", viewer, ports };
  const noted = noteVerdict({ issue, comments }, found, record, context);
  return { noted, policy: publishableVerdict(noted, issue, { trust, ports }, { settings }).policy };
}

const announced = comment(60, sweptIssue(4, fixedVerdict, { seen }), "2026-11-15T00:00:00.000Z");

test("a home that lost its files neither repeats a comment nor takes up the close that it announced (W3, W4, T11)", async () => {
  const reply = { ...announced, id: 61, author: reporter, body: "No, it still happens for me." };
  const comments = [announced, reply];
  // The reply is new, so the issue is run again.
  expect((await assessed(null, comments)).eligibility).toMatchObject({ reason: "without-verdict" });
  const { noted, policy } = concluded(null, comments);
  expect(noted).toMatchObject({
    comment: { type: "none", why: "said-before" },
    said: { commentId: 60 },
    close: { type: "cancelled", why: "announced-elsewhere" },
  });
  expect(policy).toEqual(["verdict-fixed"]);
});

test("a close that any unknown comment announced is not proposed again by a later verdict (W3)", async () => {
  const broken = comment(70, sweptIssue(4, brokenVerdict, { seen }));
  const { noted, policy } = concluded(null, [announced, broken]);
  expect(noted).toMatchObject({ comment: { type: "due" }, said: { key: "still-broken:*", commentId: 70 } });
  expect(policy).toEqual(["verdict-fixed"]);
  // Nor by one whose comment waited while another home wrote those two.
  const waiting = sweptIssue(4, fixedVerdict, { seen, comment: { type: "due" } });
  const { eligibility, early, published } = await assessed(waiting, [announced, broken]);
  expect(eligibility).toMatchObject({ reason: "comment-due" });
  expect(early?.policy).toEqual(["verdict-fixed"]);
  const written = comment(71, waiting);
  const known = await published(written);
  const later = concluded(known, [announced, broken, written], { ...fixedVerdict, release: "1.3.0" });
  expect(later.policy).toEqual(["verdict-fixed"]);
});

test("a close that the home itself announced stays as it is in a later verdict (W3)", () => {
  const said = saidIn(announced, "fixed:1.2.0", null);
  const before = sweptIssue(4, fixedVerdict, { said });
  expect(concluded(before, [announced]).noted).toMatchObject({ said, close: { type: "open" } });
  const { noted, policy } = concluded(before, [announced], { ...fixedVerdict, release: "1.1.1" });
  expect(noted).toMatchObject({ comment: { type: "due" }, close: { type: "open" } });
  expect(policy).toEqual(["verdict-fixed", "close-proposed"]);
});

test("a machine whose clock is behind does not shorten the grace period (W3)", async () => {
  const waiting = sweptIssue(4, fixedVerdict, { seen, comment: { type: "due" } });
  // GitHub dates the comment 2026-11-01.
  const behind = comment(60, waiting, "2026-10-20T00:00:00.000Z");
  const { published } = await assessed(waiting, []);
  expect((await published(behind))?.said?.closeAfter).toBe("2026-11-15T00:00:00.000Z");
  const { kept } = await assessed(waiting, [behind]);
  expect(kept?.said).toMatchObject({ commentId: 60, closeAfter: "2026-11-15T00:00:00.000Z" });
});

test("an issue is not run again if another home has commented on the same snapshot (W5)", async () => {
  const older = sweptIssue(4, brokenVerdict, { seen: "0".repeat(64) });
  expect((await assessed(older, [announced])).eligibility).toEqual({
    type: "skipped",
    reason: "already-swept",
  });
  const said = saidIn(announced, "fixed:1.2.0", null);
  // Its own comment on that snapshot does not count: the verdict since then was on another one.
  expect((await assessed({ ...older, said }, [announced])).eligibility).toMatchObject({
    reason: "without-verdict",
  });
});
