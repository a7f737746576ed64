import { expect, test } from "vitest";
import {
  advanceProgress,
  describeEvent,
  describeEventPlainly,
  emptyProgress,
  etaMs,
  formatDuration,
  jobSummary,
  progressLines,
} from "../../src/cli/output/index.ts";
import type { BatchEvent, BatchSummary, IssueSummary } from "../../src/triage/index.ts";

const repo = "octo/widgets";

function phase(number: number, change: Partial<Extract<BatchEvent, { type: "phase" }>> = {}): BatchEvent {
  return {
    type: "phase",
    ref: { repo, number },
    title: "It breaks",
    phase: "triaging",
    detail: null,
    ...change,
  };
}

function finished(number: number, change: Partial<IssueSummary> = {}): BatchEvent {
  return { type: "issue-finished", summary: issue(number, change), title: "It breaks" };
}

function issue(number: number, change: Partial<IssueSummary> = {}): IssueSummary {
  const path = { eventLog: null, recording: null, screenshot: null };
  return {
    repo,
    number,
    status: "applied",
    reason: "needs-triage",
    category: "bug",
    outcome: "needs-info",
    policy: ["low-confidence"],
    commentUrl: null,
    workspace: null,
    artifacts: { ...path, outcome: null, verification: null, patch: null },
    usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
    timings: { provisionMs: 0, agentMs: 0, verifyMs: 0, applyMs: 0, destroyMs: 0 },
    error: null,
    ...change,
  };
}

const after = (...events: [BatchEvent, number][]) =>
  events.reduce((state, [event, atMs]) => advanceProgress(state, event, atMs), emptyProgress);

test("T13: the live region shows each Triage Run's phase and time, then the totals", () => {
  const state = after(
    [{ type: "selected", eligible: 3, skipped: 1 }, 0],
    [phase(1, { phase: "creating", detail: "widgets-triage-1" }), 1_000],
    [phase(2), 2_000],
    [phase(1, { phase: "verifying", detail: "3 runs" }), 30_000],
  );
  expect(progressLines(state, { nowMs: 61_000, parallelism: 2, columns: 80 })).toEqual([
    "  octo/widgets#1  verifying (3 runs)  1 min 00 s  It breaks",
    "  octo/widgets#2  triaging  59 s  It breaks",
    "  0 of 3 issues done",
  ]);
  const lines = progressLines(state, { nowMs: 61_000, parallelism: 2, columns: 30 });
  expect(lines.every((line) => line.length < 30)).toBe(true);
});

test("T13: no estimate before the first Triage Run has ended; then the mean over what is left, in parallel", () => {
  const running = after([{ type: "selected", eligible: 5, skipped: 0 }, 0], [phase(1), 0], [phase(2), 0]);
  expect(etaMs(running, 2)).toBeNull();
  const one = advanceProgress(running, finished(1), 10_000);
  expect(etaMs(one, 2)).toBe(20_000);
  const two = advanceProgress(one, finished(2), 30_000);
  expect(etaMs(two, 2)).toBe(30_000);
  expect(etaMs({ ...two, finished: 5 }, 2)).toBe(0);
});

test("T13: what happened stays as a line; in a log every phase does, too", () => {
  const check = (event: BatchEvent, live: string | null, plain = live): void => {
    expect([describeEvent(event), describeEventPlainly(event)]).toEqual([live, plain]);
  };
  check(phase(1, { detail: "3 runs" }), null, "octo/widgets#1 triaging (3 runs)");
  check({ type: "selected", eligible: 2, skipped: 1 }, "2 eligible, 1 skipped");
  check(finished(7), "octo/widgets#7 applied: needs-info (low-confidence)  It breaks");
  check({ type: "session-opened", ref: { repo, number: 1 }, sessionId: "x" }, null);
  const error = { code: "CHECKOUT_FAILED", message: "it said\n::add-mask::x\u001b[2J", remedy: "look" };
  check(
    finished(7, { status: "failed", reason: "checkout-failed", outcome: null, error }),
    "octo/widgets#7 failed: checkout-failed  It breaks\n    CHECKOUT_FAILED: it said\n: :add-mask::x\n    what to do: look",
  );
});

test("S10: no cell of the job summary is markup, a mention, or a command", () => {
  const message = "a|b\n::set-output name=x::y <img src=x> @maintainer [x](http://x) `c` \u001b]0;t\u0007 #1";
  const error = { code: "X", message, remedy: "y" };
  const summary: BatchSummary = {
    schema: "afk-triage/summary@1",
    runId: "20260101T000000Z",
    repos: [repo],
    startedAt: "2026-01-01T00:00:00.000Z",
    finishedAt: "2026-01-01T00:00:00.000Z",
    totals: { applied: 0, skipped: 0, locked: 0, requeued: 0, failed: 1 },
    issues: [issue(1, { status: "failed", outcome: null, error })],
    stranded: [{ name: "widgets-triage-1", id: "1", error }],
  };
  const text = jobSummary(summary);
  const row = text.split("\n").find((line) => line.includes("failed")) ?? "";
  expect(row.split("|")).toHaveLength(6);
  expect(text).not.toMatch(/<img|@maintainer|\]\(|`|\u001b|^\s*::/m);
  const warned = jobSummary(summary, ["unsigned", "unsigned", "<b>@octocat</b>"]);
  expect(warned.split("> [!WARNING]\n")[1]).toMatch(/^> - unsigned\n> - (?!.*[<@]).*octocat.*\n\n/);
  expect(jobSummary(summary)).not.toContain("WARNING");
  const many = jobSummary({
    ...summary,
    issues: Array.from({ length: 5_000 }, (_, index) => issue(index, { error })),
  });
  expect(Buffer.byteLength(many)).toBeLessThan(1_024 * 1_024);
});

test("durations read as people say them", () => {
  expect([850, 12_400, 185_000, 3_720_000].map(formatDuration)).toEqual([
    "850 ms",
    "12 s",
    "3 min 05 s",
    "1 h 02 min",
  ]);
});

test("T13: an outcome that no policy shaped shows none", () => {
  expect(describeEvent(finished(1, { policy: [] }))).toBe("octo/widgets#1 applied: needs-info  It breaks");
});
