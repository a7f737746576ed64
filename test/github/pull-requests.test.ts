import { createVirtualClock } from "agent-tty/testing";
import { expect, test } from "vitest";
import type { LinkedPullRequest, LinkedPullRequests } from "../../src/github/index.ts";
import { createFakeGithub } from "../support/github/fake-github.ts";
import {
  failureOf,
  ISSUE,
  makeGithub,
  ref,
  serve,
  signal,
  useHttpGithub,
} from "../support/github/http-github.ts";

useHttpGithub();

const URL_OF = "https://github.example/octo/widgets/pull";
const author = { id: 1, login: "author", type: "User" };
const alice = { id: 2, login: "alice", type: "User" };
const bob = { id: 3, login: "bob", type: "User" };
const bot = { id: 4, login: "a-bot[bot]", type: "Bot" };

/** A cross-reference event of the timeline, with the test's changes to the pull request. */
function reference(change: object = {}, event = "cross-referenced"): object {
  const issue = {
    number: 9,
    state: "open",
    body: "Closes #7",
    html_url: `${URL_OF}/9`,
    updated_at: "2026-01-02T00:00:00Z",
    closed_at: null,
    pull_request: { merged_at: null },
    repository: { full_name: "octo/widgets" },
    ...change,
  };
  return { event, source: { type: "issue", issue } };
}

interface Parts {
  timeline?: object[];
  pull?: object;
  reviews?: object[];
  runs?: object[];
  status?: object;
}

const page = {
  number: 9,
  html_url: `${URL_OF}/9`,
  state: "open",
  draft: false,
  updated_at: "2026-01-02T00:00:00Z",
  user: author,
  head: { sha: "abc" },
  mergeable: true,
  mergeable_state: "clean",
  requested_reviewers: [],
  requested_teams: [],
};

/** Serves one pull request of one issue as five answers; returns how often each was requested. */
function servePullRequest(parts: Parts = {}): () => number {
  const served = [
    serve("get", `${ISSUE}/timeline`, { json: parts.timeline ?? [reference()] }),
    serve("get", "/repos/octo/widgets/pulls/9", { json: { ...page, ...parts.pull } }),
    serve("get", "/repos/octo/widgets/pulls/9/reviews", { json: parts.reviews ?? [] }),
    serve("get", "/repos/octo/widgets/commits/abc/check-runs", { json: { check_runs: parts.runs ?? [] } }),
    serve("get", "/repos/octo/widgets/commits/abc/status", {
      json: parts.status ?? { state: "pending", total_count: 0 },
    }),
  ];
  return () => served.reduce((sum, { requests }) => sum + requests.length, 0);
}

const linked = (): Promise<LinkedPullRequests> => makeGithub().reader.linkedPullRequests(ref, signal);

async function check(parts: Parts, expected: Partial<LinkedPullRequest>): Promise<void> {
  servePullRequest(parts);
  expect(await linked()).toMatchObject({ type: "found", pullRequests: [expected], unread: [] });
}

async function numbersOf(timeline: object[]): Promise<number[]> {
  servePullRequest({ timeline });
  const found = await linked();
  return found.type === "found" ? found.pullRequests.map(({ number }) => number) : [];
}

test("a pull request is linked only by a closing keyword in its description (O4)", async () => {
  const closed = { state: "closed" };
  const bodies: [string, boolean][] = [
    ["Closes #7", true],
    ["This fixes: #7.", true],
    ["RESOLVED octo/widgets#7", true],
    ["fix https://github.example/octo/widgets/issues/7", true],
    ["* Resolves **GH-7**", false],
    ["* Resolves GH-7", true],
    ["Closes #70", false],
    ["Closes other/widgets#7", false],
    ["See #7, which it does not fix", false],
    ["discloses #7", false],
    ["<!-- Closes #7 -->", false],
    ["`Closes #7`", false],
    ["```\nCloses #7\n```", false],
    ["Closes\n\n#7", false],
    ["", false],
  ];
  for (const [body, isLinked] of bodies)
    expect([body, await numbersOf([reference({ ...closed, body })])]).toEqual([body, isLinked ? [9] : []]);
  expect(await numbersOf([reference({ ...closed, body: null })])).toEqual([]);
});

test("issues, other repositories, other events and authors of long lists are ignored (O4)", async () => {
  const closed = { state: "closed" };
  expect(await numbersOf([reference({ ...closed, pull_request: null })])).toEqual([]);
  expect(await numbersOf([reference({ ...closed, repository: { full_name: "fork/widgets" } })])).toEqual([]);
  expect(await numbersOf([reference({ ...closed, repository: null })])).toEqual([]);
  const byUrl = { repository: null, repository_url: "https://github.example/api/v3/repos/Octo/widgets" };
  expect(await numbersOf([reference({ ...closed, ...byUrl })])).toEqual([9]);
  expect(await numbersOf([reference(closed, "connected"), { event: "labeled" }, {}])).toEqual([]);
  const many = Array.from({ length: 30 }, (_, index) =>
    reference({ ...closed, number: 100 + index, updated_at: new Date(index * 1_000).toISOString() }),
  );
  expect(await numbersOf(many)).toEqual(Array.from({ length: 20 }, (_, index) => 129 - index));
});

test("finished pull requests need one request, an open one four more (P13)", async () => {
  const ended = servePullRequest({
    timeline: [
      reference({
        state: "closed",
        closed_at: "2026-01-03T00:00:00Z",
        pull_request: { merged_at: "2026-01-03T00:00:00Z" },
      }),
    ],
  });
  expect(await linked()).toMatchObject({
    pullRequests: [{ number: 9, state: "merged", endedAt: "2026-01-03T00:00:00Z" }],
  });
  expect(ended()).toBe(1);
  const open = servePullRequest();
  await linked();
  expect(open()).toBe(5);
});

test("a pull request that was merged between two responses, or whose end an older server does not report, is read (O4)", async () => {
  const merged = { state: "closed", merged_at: "2026-01-03T00:00:00Z", closed_at: "2026-01-03T00:00:00Z" };
  await check({ pull: merged }, { state: "merged", endedAt: "2026-01-03T00:00:00Z" });
  const timeline = [reference({ state: "closed", pull_request: {} })];
  await check({ timeline, pull: merged }, { state: "merged" });
});

test("the verdict of checks is failing, else pending, else passing, and none if there are no checks (O6)", async () => {
  const run = (conclusion: string | null, status = "completed"): object => ({ status, conclusion });
  const ok = { state: "success", total_count: 1 };
  await check({}, { checks: "none", checksSignature: null });
  await check({ status: ok }, { checks: "passing" });
  await check({ status: { state: "pending", total_count: 2 } }, { checks: "pending" });
  await check({ runs: [run("success"), run("neutral"), run("skipped")] }, { checks: "passing" });
  await check({ runs: [run("success"), run(null, "in_progress")], status: ok }, { checks: "pending" });
  await check({ runs: [run("stale")] }, { checks: "pending" });
  for (const conclusion of ["failure", "timed_out", "cancelled", "action_required", "one of tomorrow"])
    await check(
      { runs: [run(conclusion), run(null, "queued")] },
      { checks: "failing", checksSignature: "abc" },
    );
  await check({ runs: [run("success")], status: { state: "error", total_count: 1 } }, { checks: "failing" });
});

/** Reviews in the form `by state commit`, in ascending order. */
function reviews(...lines: [typeof alice | null, string, string?, string?][]): object[] {
  return lines.map(([user, state, commit = "abc", association = "MEMBER"], index) => ({
    id: index + 1,
    user,
    state,
    commit_id: commit,
    author_association: association,
  }));
}

test("only the last decision of each reviewer with write access counts (O7)", async () => {
  const blocked = { mergeable_state: "blocked" };
  const review = (given: object[], expected: LinkedPullRequest["review"], pull: object = {}): Promise<void> =>
    check({ reviews: given, pull }, { review: expected });
  await review([], "none");
  await review([], "review_required", { requested_reviewers: [{}] });
  await review([], "review_required", { requested_teams: [{}] });
  await review(reviews([alice, "APPROVED"]), "approved");
  await review(reviews([alice, "CHANGES_REQUESTED", "old"], [alice, "APPROVED"]), "approved");
  await review(reviews([alice, "CHANGES_REQUESTED", "old"], [bob, "APPROVED"]), "changes_requested");
  await review(reviews([alice, "CHANGES_REQUESTED", "old"], [alice, "COMMENTED"]), "changes_requested");
  await review(reviews([alice, "DISMISSED"]), "none");
  await review(reviews([alice, "PENDING"], [null, "APPROVED"]), "none");
  await review(reviews([alice, "APPROVED", "abc", "NONE"], [author, "APPROVED"], [bot, "APPROVED"]), "none");
  // A code owner's approval is missing: REST reports only that an approval is missing, not whose.
  await review(reviews([alice, "APPROVED"]), "review_required", blocked);
});

test("feedback on the current head commit is unresolved until the same person approves (O7)", async () => {
  const unresolved = (given: object[], signature: string | null): Promise<void> =>
    check(
      { reviews: given },
      { hasUnresolvedHumanComments: signature !== null, feedbackSignature: signature },
    );
  await unresolved(reviews([alice, "COMMENTED"]), "review-1");
  await unresolved(reviews([bob, "CHANGES_REQUESTED", "abc", "NONE"], [alice, "COMMENTED"]), "review-2");
  await unresolved(reviews([alice, "COMMENTED"], [alice, "APPROVED"]), null);
  await unresolved(reviews([alice, "COMMENTED", "old"]), null);
  await unresolved(reviews([author, "COMMENTED"], [bot, "COMMENTED"]), null);
});

test("mergeable is what GitHub reports, never a guess (O8)", async () => {
  const mergeability = (
    mergeable: boolean | null,
    state: string,
    expected: LinkedPullRequest["mergeability"],
  ): Promise<void> => check({ pull: { mergeable, mergeable_state: state } }, { mergeability: expected });
  await mergeability(true, "clean", "mergeable");
  await mergeability(true, "has_hooks", "mergeable");
  await mergeability(false, "dirty", "conflicting");
  for (const state of ["blocked", "behind", "unstable", "draft", "unknown"])
    await mergeability(true, state, "unknown");
  await mergeability(null, "unknown", "unknown");
});

test("an unreadable or missing issue is unknown, and such a pull request is unread (O13)", async () => {
  const states = [
    [301, "transferred"],
    [404, "not-found"],
    [410, "deleted"],
    [403, "forbidden"],
  ] as const;
  for (const [status, reason] of states) {
    serve("get", `${ISSUE}/timeline`, { status, headers: { location: "elsewhere" } });
    expect(await linked()).toEqual({ type: "unknown", reason });
  }
  servePullRequest();
  serve("get", "/repos/octo/widgets/commits/abc/check-runs", { status: 403 });
  expect(await linked()).toEqual({ type: "found", pullRequests: [], unread: [9] });
  servePullRequest();
  serve("get", "/repos/octo/widgets/pulls/9", { status: 404 });
  expect(await linked()).toEqual({ type: "found", pullRequests: [], unread: [9] });
  servePullRequest();
  serve("get", "/repos/octo/widgets/commits/abc/status", { json: ["what is this"] });
  expect(await failureOf(linked())).toMatchObject({ code: "GITHUB_UNEXPECTED_ANSWER" });
});

test("the reader limits the length of histories and the number of open pull requests (P13)", async () => {
  const next = `<https://github.example/next>; rel="next"`;
  const timeline = serve("get", `${ISSUE}/timeline`, { json: [], headers: { link: next } });
  expect(await linked()).toEqual({ type: "unknown", reason: "too-long" });
  expect(timeline.requests).toHaveLength(20);
  const open = Array.from({ length: 7 }, (_, index) =>
    reference({ number: 9 + index, updated_at: new Date(-index * 1_000).toISOString() }),
  );
  servePullRequest({ timeline: open });
  for (let number = 10; number < 14; number += 1)
    serve("get", `/repos/octo/widgets/pulls/${number}`, { status: 404 });
  expect(await linked()).toMatchObject({ pullRequests: [{ number: 9 }], unread: [14, 15, 10, 11, 12, 13] });
});

test("the fake can make this call fail like any other call (O13)", async () => {
  const fake = createFakeGithub({ clock: createVirtualClock() });
  const issue = await fake.createIssue({ title: "an issue" });
  fake.intercept = () => {
    throw new Error("no network");
  };
  await expect(fake.reader.linkedPullRequests(issue, signal)).rejects.toThrow("no network");
});
