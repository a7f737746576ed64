import { createVirtualClock, seededIds } from "agent-tty/testing";
import { describe, expect, test } from "vitest";
import type { Issue, IssueComment } from "../../src/github/index.ts";
import { openSweptLibrary, type SweptIssue } from "../../src/sweep/index.ts";
import { decideComment, decideDue, findObjection } from "../../src/sweep/due/index.ts";
import { decideVerdict } from "../../src/sweep/verdict/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { outcomeWith } from "../triage/facts.ts";

const NOW_MS = Date.parse("2026-11-22T12:00:00Z");
const DAY_MS = 24 * 3_600_000;
const person = (id: number, isBot = false) => ({ id, login: `p${id}`, isBot });
const US = 7;

const issue: Issue = {
  ref: { repo: "octo/widgets", number: 4 },
  title: "t",
  body: "b",
  state: "open",
  stateReason: null,
  locked: false,
  labels: [],
  author: person(1),
  createdAt: "2024-01-01T00:00:00Z",
  updatedAt: "2026-11-01T00:00:00Z",
  isPullRequest: false,
  url: "https://github.test/octo/widgets/issues/4",
  commentCount: 1,
  reactionCount: 0,
  milestone: null,
};

const said = {
  key: "fixed:1.2.0",
  commentId: 50,
  url: "u",
  at: "2026-11-01T00:00:00Z",
  closeAfter: "2026-11-15T00:00:00.000Z",
  textHash: null,
};

const fixed: SweptIssue = {
  schema: "afk-triage/swept-issue@1",
  repo: "octo/widgets",
  number: 4,
  title: "t",
  url: issue.url,
  labels: [],
  milestone: null,
  createdAt: issue.createdAt,
  reactions: 0,
  people: 1,
  seen: "f".repeat(64),
  updatedAt: issue.updatedAt,
  runId: "20261101T000000Z",
  at: "2026-11-01T00:00:00.000Z",
  origin: "issue",
  verdict: { type: "fixed", before: "1.0.0", runs: 3, release: "1.2.0", commit: "abc", isExact: true },
  evidence: null,
  reproduction: null,
  usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
  comment: { type: "published" },
  said,
  close: { type: "open" },
  isOpen: true,
};

const stillBroken: SweptIssue["verdict"] = {
  type: "still-broken",
  commit: "abc",
  since: null,
  flaky: null,
};

describe("the next action of a sweep", () => {
  const told = { commentId: 50, verdict: "fixed", seen: "f".repeat(16) };
  const due = (
    change: Partial<SweptIssue>,
    settings = { closes: true, recheckMs: 30 * DAY_MS },
    nowMs = NOW_MS,
  ) => decideDue({ issue, swept: { ...fixed, ...change }, seen: fixed.seen, told, nowMs }, settings);

  test("a proposed close is due after its grace period, and only if closing is configured (W3)", () => {
    expect(due({})).toMatchObject({ reason: "close-due" });
    expect(due({}, undefined, Date.parse("2026-11-14T00:00:00Z"))).toMatchObject({ reason: "already-swept" });
    expect(due({}, { closes: false, recheckMs: 30 * DAY_MS })).toMatchObject({ reason: "already-swept" });
  });

  test("a close is not due if it was not announced, was cancelled, or the verdict is not fixed (W3)", () => {
    expect(due({ said: { ...said, closeAfter: null } })).toMatchObject({ reason: "already-swept" });
    expect(due({ said: null })).toMatchObject({ reason: "already-swept" });
    expect(due({ close: { type: "cancelled", why: "reply", at: "" } })).toMatchObject({ type: "skipped" });
    for (const verdict of [
      stillBroken,
      { type: "not-reproduced", why: "", runs: 3 },
      { type: "not-a-bug", why: "", basis: "runs" },
      { type: "duplicate", of: 3, why: "" },
    ] as const)
      expect(due({ verdict })).toMatchObject({ reason: "already-swept" });
  });

  test("an issue that has changed since its verdict is swept again, an unchanged one only for a recheck of a bug (W5)", () => {
    expect(due({ seen: "0".repeat(64) })).toMatchObject({ reason: "without-verdict" });
    expect(due({ verdict: stillBroken }, { closes: false, recheckMs: 10 * DAY_MS })).toMatchObject({
      reason: "recheck-due",
    });
    expect(due({ verdict: stillBroken }, { closes: false, recheckMs: 30 * DAY_MS })).toMatchObject({
      reason: "already-swept",
    });
  });

  test("a verdict already published from another home is not repeated (W5)", () => {
    const facts = { issue, swept: null, seen: fixed.seen, nowMs: NOW_MS };
    const settings = { closes: false, recheckMs: DAY_MS };
    expect(decideDue({ ...facts, told }, settings)).toMatchObject({ type: "skipped" });
    expect(decideDue({ ...facts, told: null }, settings)).toMatchObject({ reason: "without-verdict" });
  });
});

describe("objections", () => {
  const ours: IssueComment = {
    id: 50,
    body: "",
    author: person(US),
    createdAt: said.at,
    updatedAt: said.at,
    url: "u",
  };
  const later = "2026-11-10T00:00:00Z";
  const comment = (change: Partial<IssueComment>): IssueComment => ({
    ...ours,
    id: 60,
    createdAt: later,
    updatedAt: later,
    ...change,
  });
  const reaction = (author: IssueComment["author"], createdAt = later) => ({
    of: "comment" as const,
    content: "-1",
    author,
    createdAt,
  });
  const found = (facts: Partial<Parameters<typeof findObjection>[1]>): ReturnType<typeof findObjection> =>
    findObjection(said, { issue, comments: [ours], reactions: [], viewerId: US, ...facts });

  test("a reply, a reaction, a reopening or the removal of our comment cancels a close (W3)", () => {
    expect(found({})).toBeNull();
    expect(found({ comments: [ours, comment({ author: person(2) })] })).toBe("reply");
    expect(found({ comments: [ours, comment({ author: null })] })).toBe("reply");
    expect(found({ comments: [comment({ id: 40, author: person(2) }), ours] })).toBe("reply");
    expect(found({ reactions: [reaction(person(2))] })).toBe("reaction");
    expect(found({ issue: { ...issue, stateReason: "reopened" } })).toBe("reopened");
    expect(found({ comments: [] })).toBe("comment-removed");
    expect(found({ reactions: null })).toBe("comment-removed");
  });

  test("actions by bots, notes of afk-triage, and actions before our comment do not cancel a close (W3)", () => {
    expect(found({ comments: [ours, comment({ author: person(3, true) })] })).toBeNull();
    const body = "<!-- afk-triage:v1 issue=4 outcome=needs-info run=20261110T000000Z -->";
    expect(found({ comments: [ours, comment({ author: person(US), body })] })).toBeNull();
    expect(found({ reactions: [reaction(person(3, true))] })).toBeNull();
    expect(found({ reactions: [reaction(person(2), "2026-10-01T00:00:00Z")] })).toBeNull();
  });
});

describe("comments", () => {
  test("a verdict is published once, and that of a bug that still exists only if something is new (W4)", () => {
    expect(decideComment(fixed.verdict, null)).toEqual({ type: "say" });
    expect(decideComment(fixed.verdict, said)).toMatchObject({ why: "said-before" });
    expect(decideComment(stillBroken, null)).toMatchObject({ why: "nothing-new" });
    expect(decideComment({ ...stillBroken, since: "1.0.0" }, null)).toEqual({ type: "say" });
    // The bug came back after an earlier comment called it fixed.
    expect(decideComment(stillBroken, said)).toEqual({ type: "say" });
  });

  test("a verdict is not published again if the search for the version finds less than before (W4)", () => {
    const unknown = { ...fixed.verdict, release: null, commit: null, isExact: false };
    expect(decideComment(unknown, said)).toMatchObject({ why: "said-before" });
    expect(decideComment(unknown, null)).toEqual({ type: "say" });
    const told = { ...said, key: "still-broken:1.0.0" };
    expect(decideComment(stillBroken, told)).toMatchObject({ why: "said-before" });
    expect(decideComment({ ...stillBroken, since: "1.0.0" }, told)).toMatchObject({ why: "said-before" });
    expect(decideComment({ ...stillBroken, since: "0.9.0" }, told)).toEqual({ type: "say" });
  });

  test("a comment asks the reporter for nothing if nothing was run, and no opinion is published (W4)", () => {
    const asked = { type: "needs-reproduction", why: "", hasRun: false } as const;
    expect(decideComment(asked, null)).toMatchObject({ type: "silent" });
    expect(decideComment({ ...asked, hasRun: true }, null)).toEqual({ type: "say" });
    const opinion = { type: "not-a-bug", why: "", basis: "triage-agent" } as const;
    expect(decideComment(opinion, null)).toMatchObject({ why: "opinion-only" });
  });
});

const flips = { before: "bad", at: "good" } as const;
const proven = {
  type: "proven",
  change: { kind: "first-fixed", commit: "c", first: flips, second: flips },
  tie: { type: "part", lines: 3 },
} as const;

const reproduction = {
  attempted: true,
  reproduced: true,
  script: "x",
  expect: null,
  expected: "",
  actual: "",
  environment: "",
};

test("a bug is a duplicate only of an older open issue whose runs prove the same cause (W2)", () => {
  const decided = (number: number, type: "proven" | "undecided", state: "open" | "closed" = "open") =>
    decideVerdict({
      number: 4,
      outcome: null,
      tried: "",
      verification: {
        type: "reproduced",
        runs: [],
        reproduction,
        insight: {
          commit: "abc",
          sameFailureAs: [],
          range: null,
          test: null,
          grade: null,
          compared: [
            {
              number,
              state,
              cause: type === "proven" ? proven : { type, change: null, reason: "no time" },
            },
          ],
        },
      },
    });
  expect(decided(3, "proven")).toMatchObject({ type: "duplicate", of: 3 });
  // The bug is back, and no open issue says so.
  expect(decided(3, "proven", "closed")).toMatchObject({ type: "still-broken" });
  expect(decided(9, "proven")).toMatchObject({ type: "still-broken" });
  expect(decided(3, "undecided")).toMatchObject({ type: "still-broken" });
});

test("a verdict with the longest reason that a Triage Agent may give is kept and read back, and one that cannot be read is not kept (W5, T9)", async () => {
  await using directory = await temporaryDirectory();
  const library = openSweptLibrary(directory.path, seededIds(createVirtualClock(), 1));
  const reason = `${"token ghp_0123456789abcdefghijABCDEFGHIJ012345 ".repeat(150)}${"x".repeat(1_000)}`;
  const outcome = outcomeWith({
    category: "bug",
    outcome: "wontfix",
    confidence: "high",
    established: ["It is documented."],
    wontfix: { reason, outOfScope: null },
  });
  const verdict = decideVerdict({ number: 4, verification: { type: "not-attempted" }, outcome, tried: "" });
  await library.save({ ...fixed, verdict });
  const kept = await library.read(issue.ref);
  expect(kept).toMatchObject({ verdict: { type: "not-a-bug", basis: "triage-agent" } });
  const tooLong = { type: "not-reproduced", why: "x".repeat(4_001), runs: 3 } as const;
  await expect(library.save({ ...fixed, verdict: tooLong })).rejects.toThrow("4000");
  expect(await library.read(issue.ref)).toEqual(kept);
});

test("a failure outside the product is `not-a-bug`; a script that proves nothing is `needs-reproduction` (W2)", () => {
  const decided = (verdict: "wrong-call" | "vacuous" | "environment" | "tampering") =>
    decideVerdict({
      number: 4,
      verification: {
        type: "unproven",
        reason: "why",
        runs: [],
        reproduction,
        grade: {
          verdict,
          runs: "3/3",
          controls: "1/4",
          place: "fresh",
          firstBad: null,
          firstFixed: null,
          test: null,
        },
      },
      outcome: null,
      tried: "",
    });
  expect(decided("wrong-call")).toEqual({ type: "not-a-bug", why: "why", basis: "runs" });
  for (const verdict of ["vacuous", "environment", "tampering"] as const)
    expect(decided(verdict)).toEqual({ type: "needs-reproduction", why: "why", hasRun: true });
});
