import { createVirtualClock } from "agent-tty/testing";
import { expect, test } from "vitest";
import { displayWidth } from "../../src/layout/index.ts";
import {
  advanceProgress,
  chooseProgress,
  describeEvent,
  describeEventPlainly,
  displayStatusesOf,
  emptyProgress,
  etaMs,
  formatDuration,
  jobSummary,
  progressLines,
} from "../../src/cli/output/index.ts";
import type { BatchEvent, BatchSummary, IssueSummary } from "../../src/triage/index.ts";
import { recordBatch, storeFixture, triageRun } from "../store/store-fixture.ts";
import { recordedOutput } from "../support/cli/recorded-output.ts";

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
    modelSessions: [],
    deniedRequests: null,
    policy: ["low-confidence"],
    commentUrl: null,
    workspace: null,
    evidence: null,
    artifacts: { ...path, outcome: null, verification: null, patch: null },
    usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
    timings: { provisionMs: 0, agentMs: 0, verifyMs: 0, applyMs: 0, destroyMs: 0, cleanMs: 0 },
    error: null,
    ...change,
  };
}

const after = (...events: [BatchEvent, number][]) =>
  events.reduce((state, [event, atMs]) => advanceProgress(state, event, atMs), emptyProgress);

test("the live region shows each Triage Run's display status, phase and time, then the totals (T13)", () => {
  const state = after(
    [{ type: "selected", eligible: 3, skipped: 1 }, 0],
    [phase(1, { phase: "creating", detail: "widgets-triage-1" }), 1_000],
    [phase(2), 2_000],
    [phase(1, { phase: "verifying", detail: "3 runs" }), 30_000],
  );
  const statuses = new Map([["octo/widgets#1", { symbol: "🟢", displayStatus: "working" }]]);
  expect(progressLines(state, { nowMs: 61_000, parallelism: 2, columns: 80, statuses })).toEqual([
    "  octo/widgets#1  🟢 working  verifying (3 runs)  1 min 00 s  It breaks",
    "  octo/widgets#2  triaging  59 s  It breaks",
    "  0 of 3 issues done",
  ]);
  const lines = progressLines(state, { nowMs: 61_000, parallelism: 2, columns: 30, statuses });
  expect(lines.every((line) => line.length < 30)).toBe(true);
  const wide = after(
    [{ type: "selected", eligible: 1, skipped: 0 }, 0],
    [phase(1, { title: "空のリストで落ちる".repeat(9) }), 0],
  );
  const [first = ""] = progressLines(wide, { nowMs: 0, parallelism: 1, columns: 60, statuses: new Map() });
  expect(first).toContain("空のリスト");
  expect(displayWidth(first)).toBeLessThan(60);
});

test("the estimate appears when the first Triage Run has ended; it is the mean duration over the remaining runs in parallel, less the time that the running ones have used (T13)", () => {
  const running = after([{ type: "selected", eligible: 5, skipped: 0 }, 0], [phase(1), 0], [phase(2), 4_000]);
  expect(etaMs(running, { nowMs: 4_000, parallelism: 2 })).toBeNull();
  const one = advanceProgress(running, finished(1), 10_000);
  expect(etaMs(one, { nowMs: 10_000, parallelism: 2 })).toBe((40_000 - 6_000) / 2);
  // A run that takes longer than the mean uses up its own time only, not that of the waiting runs.
  expect(etaMs(one, { nowMs: 30_000, parallelism: 2 })).toBe(15_000);
  const two = advanceProgress(one, finished(2), 34_000);
  expect(etaMs(two, { nowMs: 34_000, parallelism: 2 })).toBe(30_000);
  expect(etaMs({ ...two, finished: 5 }, { nowMs: 34_000, parallelism: 2 })).toBe(0);
  const last = advanceProgress({ ...one, eligible: 2 }, phase(2), 11_000);
  const lines = progressLines(last, { nowMs: 15_000, parallelism: 2, columns: 80, statuses: new Map() });
  expect(lines.at(-1)).toBe("  1 of 2 issues done");
});

test("finished runs stay as lines; a log also has a line for each phase (T13)", () => {
  const check = (event: BatchEvent, live: string | null, plain = live): void => {
    expect([describeEvent(event), describeEventPlainly(event, null)]).toEqual([live, plain]);
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

test("plain lines of a Triage Run carry its elapsed time and display status (T13)", async () => {
  const clock = createVirtualClock();
  const output = recordedOutput();
  let asked = 0;
  const statuses = () => {
    asked += 1;
    return new Map([[`${repo}#1`, { symbol: "*", displayStatus: "working" }]]);
  };
  using progress = chooseProgress({ parallelism: 1 }, clock, { output, asJson: false }, statuses);
  progress.observe({ type: "selected", eligible: 1, skipped: 0 });
  progress.observe(phase(1, { phase: "preparing" }));
  await clock.advance(65_000);
  progress.observe(phase(1, { detail: "3 runs" }));
  progress.observe(phase(1, { phase: "applying" }));
  await clock.advance(1_000);
  progress.observe(finished(1));
  expect(output.lines).toEqual([
    "1 eligible, 0 skipped",
    "octo/widgets#1 preparing  [0 ms, working]",
    "octo/widgets#1 triaging (3 runs)  [1 min 05 s, working]",
    "octo/widgets#1 applying  [1 min 05 s, working]",
    "octo/widgets#1 applied: needs-info (low-confidence)  It breaks  [1 min 06 s]",
    "1 of 1 issues done",
  ]);
  expect(asked).toBe(2);
});

test("cells of the job summary contain no markup, mention or command (S10)", () => {
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
    kept: [],
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

test("durations are formatted for people", () => {
  expect([850, 12_400, 185_000, 3_720_000].map(formatDuration)).toEqual([
    "850 ms",
    "12 s",
    "3 min 05 s",
    "1 h 02 min",
  ]);
});

test("an outcome that no policy changed shows no policy (T13)", () => {
  expect(describeEvent(finished(1, { policy: [] }))).toBe("octo/widgets#1 applied: needs-info  It breaks");
});

test("the display status of a running run is derived on read, and a missing store does not fail the batch (T13)", async () => {
  await using fixture = await storeFixture();
  const store = await fixture.open();
  const clock = createVirtualClock(90_100);
  recordBatch(store);
  store.saveRun(triageRun(1, [{ type: "spawn-completed", isSignalCapable: true, atMs: 100 }]));
  expect(displayStatusesOf(store, clock).get("o/r#1")?.displayStatus).toBe("idle");
  await clock.advance(1);
  expect(displayStatusesOf(store, clock).get("o/r#1")?.displayStatus).toBe("no_signal");
  store[Symbol.dispose]();
  expect(displayStatusesOf(store, clock)).toEqual(new Map());
});

test("a log shows the totals and the remaining time after each issue (T13)", () => {
  const output = recordedOutput();
  using progress = chooseProgress(
    { parallelism: 1 },
    createVirtualClock(0),
    { output, asJson: false },
    () => new Map(),
  );
  for (const event of [{ type: "selected", eligible: 2, skipped: 0 }, phase(1), finished(1)] as const)
    progress.observe(event);
  expect(output.lines).toEqual([
    "2 eligible, 0 skipped",
    "octo/widgets#1 triaging  [0 ms]",
    "octo/widgets#1 applied: needs-info (low-confidence)  It breaks  [0 ms]",
    "1 of 2 issues done",
  ]);
});

test("a failed run's last screen is inert in the job summary, and the artifacts are linked (S10)", () => {
  const error = { code: "X", message: "it broke", remedy: "y" };
  const summary: BatchSummary = {
    schema: "afk-triage/summary@1",
    runId: "20260101T000000Z",
    repos: [repo],
    startedAt: "2026-01-01T00:00:00.000Z",
    finishedAt: "2026-01-01T00:00:00.000Z",
    totals: { applied: 0, skipped: 0, locked: 0, requeued: 0, failed: 1 },
    issues: [issue(1, { status: "failed", outcome: null, error })],
    stranded: [],
    kept: [],
  };
  const screen = "$ npm test\n```\n</details><img src=x> @maintainer\n::set-output name=x::y\u001b]0;t\u0007";
  const evidence = {
    artifactsUrl: "https://github.com/octo/widgets/actions/runs/7",
    screens: new Map([["octo/widgets#1", screen]]),
    isDryRun: false,
  };
  const text = jobSummary(summary, [], evidence);
  expect(text).toContain("(https://github.com/octo/widgets/actions/runs/7#artifacts)");
  const [, fence = "", inside = ""] = /^(`{3,})\n([^]*?)\n\1$/m.exec(text) ?? [];
  expect(fence.length).toBeGreaterThan(3);
  expect(inside).toContain("</details><img src=x> @maintainer");
  expect(text.replace(inside, "")).not.toMatch(/<img|@maintainer/);
  expect(text).not.toMatch(/^\s*::|\u001b/m);
  expect(jobSummary(summary, [], { ...evidence, artifactsUrl: "javascript:alert(1)" })).not.toContain(
    "artifacts",
  );
  const huge = new Map(Array.from({ length: 5 }, (_, index) => [`o/r#${index}`, "x".repeat(300_000)]));
  const cut = jobSummary(summary, [], { artifactsUrl: null, screens: huge, isDryRun: false });
  expect(Buffer.byteLength(cut)).toBeLessThan(1_024 * 1_024);
  // Each opened fence is closed.
  expect((cut.match(/^`{3,}$/gm)?.length ?? 1) % 2).toBe(0);
});

test("a warning of one Triage Run begins with its issue, unless its message names the issue", () => {
  const ref = { repo, number: 7 } as const;
  const shown = (message: string): string | null => describeEvent({ type: "warning", message, ref });
  expect(shown("the disk is full")).toBe("warning: octo/widgets#7: the disk is full");
  expect(shown("octo/widgets#7: edited")).toBe("warning: octo/widgets#7: edited");
  expect(describeEvent({ type: "warning", message: "the store is busy" })).toBe("warning: the store is busy");
});

test.each(["Triage Batch", "Sweep"] as const)("the first line calls the work a %s", (title) => {
  const started = {
    type: "batch-started",
    runId: "20260101T000000Z",
    repos: [repo],
    provider: "local",
  } as const;
  const line = describeEvent({ ...started, title });
  expect(line).toBe(`${title} 20260101T000000Z over octo/widgets (provider local)`);
});
