import { expect, test, vi } from "vitest";
import { type BatchPorts, undoBatch } from "../../src/triage/index.ts";
import { nothingLeft } from "../support/batch/batch-stage.ts";
import { openSweepStage, report } from "./sweep-stage.ts";

// The tests run real batches on a machine that may be busy.
vi.setConfig({ testTimeout: 400_000 });

const DAY_MS = 24 * 3_600_000;

test("a sweep publishes the version in which an old report's script passes again, and changes no label (W1, W2)", async () => {
  await using stage = await openSweepStage({ runs: 2 });
  await stage.github.createIssue({ title: "empty list", body: report("1.0.0"), labels: ["bug"] });
  const summary = await stage.sweep();
  expect(summary.issues).toMatchObject([{ status: "applied", policy: ["verdict-fixed"], error: null }]);
  // `list` and the board show this of the run.
  const [run] = stage.store.runsOfIssue(stage.github.repo, 1, 1);
  expect(run?.progress).toMatchObject({ phase: "settled", end: { status: "applied", outcome: "fixed" } });
  expect(await stage.library.read({ repo: stage.github.repo, number: 1 })).toMatchObject({
    origin: "issue",
    verdict: { type: "fixed", before: "1.0.0", release: "1.2.0", isExact: true, runs: 2 },
    comment: { type: "published" },
    said: { key: "fixed:1.2.0", closeAfter: null },
  });
  const [comment = ""] = await stage.comments(1);
  expect(comment).toContain("**Fixed** in `1.2.0` by commit");
  expect(comment).toContain("fails in 2 of 2 runs on `1.0.0` and passes on the default branch.");
  expect(await stage.isOpen(1)).toBe(true);
  expect(await stage.left()).toEqual(nothingLeft);
});

test("a sweep closes an issue only after the grace period without objection, and undo reopens it (W3)", async () => {
  await using stage = await openSweepStage();
  const { github } = stage;
  for (const title of ["nobody objects", "somebody reacts", "somebody reacts late"])
    await github.createIssue({ title, body: report("1.1.0") });
  // The sweep reaches its own verdict on the first issue.
  for (const number of [2, 3]) await stage.storeVerdict(number);
  const closing = { closes: true };
  await stage.sweep(closing);
  expect((await stage.comments(1))[0]).toContain("This will be closed after 20");
  await stage.sweep(closing);
  expect([await stage.isOpen(1), await stage.isOpen(2)]).toEqual([true, true]);
  const said = (await stage.library.read({ repo: github.repo, number: 2 }))?.said;
  await github.react({ repo: github.repo, number: 2 }, "stranger", "-1", said?.commentId ?? 0);
  stage.advance(15 * DAY_MS);
  const third = { repo: github.repo, number: 3 };
  const late = (await stage.library.read(third))?.said;
  const publishing: BatchPorts["publishing"] = async (_repo, publication) => {
    // While a close waits for its turn.
    await github.react(third, "stranger", "confused", late?.commentId ?? 0);
    return publication();
  };
  const { runId, issues } = await stage.sweep(closing, { ports: { publishing } });
  expect(issues).toMatchObject([
    { number: 1, status: "applied", policy: ["verdict-fixed", "closed-after-grace"] },
    { number: 2, status: "applied", reason: "close-cancelled-by-reaction" },
    { number: 3, status: "applied", reason: "close-cancelled-by-reaction" },
  ]);
  expect(await Promise.all([1, 2, 3].map((number) => stage.isOpen(number)))).toEqual([false, true, true]);
  expect([(await stage.comments(1)).length, (await stage.comments(2)).length]).toEqual([1, 1]);
  const request = { runId, issues: null, dryRun: false };
  const ports = { ...stage.ports, observe: () => undefined };
  const undone = await undoBatch(request, ports, new AbortController().signal);
  expect(undone).toMatchObject([{ number: 1, status: "undone", steps: [{ type: "reopen" }] }]);
  expect(await stage.isOpen(1)).toBe(true);
  await stage.sweep(closing);
  expect(await stage.isOpen(1)).toBe(true);
});

test("a comment beyond the day's allowance waits, and is written later without another run (W4)", async () => {
  await using stage = await openSweepStage();
  for (const title of ["one", "two"]) await stage.github.createIssue({ title, body: report("1.1.0") });
  // The sweep reaches its own verdict on the second issue.
  await stage.storeVerdict(1);
  const said = async (): Promise<number> =>
    (await stage.comments(1)).length + (await stage.comments(2)).length;
  await stage.sweep({ commentsPerDay: 1 });
  expect(await said()).toBe(1);
  const waiting = await stage.sweep({ commentsPerDay: 1 });
  expect(waiting.issues.map(({ reason }) => reason).toSorted()).toEqual(["already-swept", "comment-limit"]);
  stage.advance(2 * DAY_MS);
  const { issues } = await stage.sweep({ commentsPerDay: 1 });
  expect(issues.find(({ status }) => status === "applied")).toMatchObject({ workspace: null });
  expect(await said()).toBe(2);
});

test("a bug that still exists gets no comment unless its first bad version is new (W4)", async () => {
  await using stage = await openSweepStage({ isFixed: false });
  await stage.github.createIssue({ title: "empty list", body: report("1.1.0") });
  await stage.sweep();
  expect((await stage.comments(1)).join("\n")).toContain("First bad: `1.0.0`.");
  stage.advance(40 * DAY_MS);
  const again = await stage.sweep();
  expect(again.issues).toMatchObject([{ status: "applied", reason: "said-before" }]);
  expect(await stage.comments(1)).toHaveLength(1);
});

test("a sweep whose comment was posted without an answer continues without rerunning or reposting (W5)", async () => {
  await using stage = await openSweepStage();
  const { github } = stage;
  await github.createIssue({ title: "empty list", body: report("1.0.0") });
  const stop = new AbortController();
  // Simulates a parent that is killed after GitHub accepts the comment and before it answers.
  github.intercept = ({ operation }, phase) => {
    if (operation !== "publishComment" || phase !== "after") return;
    stop.abort(new Error("killed"));
    throw new Error("killed");
  };
  await stage.sweep({}, { stop: stop.signal });
  github.intercept = () => undefined;
  expect(await stage.comments(1)).toHaveLength(1);
  const { issues } = await stage.sweep();
  expect(issues).toMatchObject([{ status: "skipped", reason: "already-swept" }]);
  expect(await stage.comments(1)).toHaveLength(1);
  github.calls.length = 0;
  await stage.sweep();
  // Nothing has changed, so only the listing is requested, and it costs a 304.
  expect(github.calls.map(({ operation }) => operation)).toEqual(["viewer", "repository", "listOpenIssues"]);
});
