import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";
import { expect, test } from "vitest";
import { transition, type TriageRunEvent, type TriageRunFacts } from "../../src/runs/index.ts";
import { recordBatch, RUN_ID, storeFixture, triageRun } from "./store-fixture.ts";

const created: TriageRunEvent[] = [
  { type: "phase-entered", phase: "creating", atMs: 10 },
  { type: "workspace-requested", name: "r-triage-1" },
  { type: "workspace-created", id: "w1" },
];
const triaging: TriageRunEvent[] = [
  ...created,
  { type: "workspace-ready" },
  { type: "phase-entered", phase: "triaging", atMs: 20 },
  { type: "session-opened", sessionId: "01S" },
  { type: "spawn-completed", isSignalCapable: true, atMs: 21 },
  { type: "prompt-admitted", atMs: 22 },
  { type: "activity-signalled", activity: "active", atMs: 23 },
  { type: "report-observed", atMs: 24 },
];
const failed: TriageRunEvent[] = [
  ...triaging,
  { type: "triage-agent-exited", exitCode: 1, atMs: 30 },
  { type: "prompt-settled", evidence: "proven-death" },
  { type: "workspace-deleting" },
  { type: "workspace-stranded", id: "w1" },
  {
    type: "run-settled",
    atMs: 40,
    end: {
      status: "failed",
      reason: "workspace-stranded",
      outcome: null,
      error: { code: "WORKSPACE_STRANDED", message: 'it\'s "quoted"\n', remedy: "r" },
    },
  },
];
const result = {
  category: "bug",
  commentUrl: "https://github.test/o/r/issues/8#issuecomment-1",
  usage: { inputTokens: 10, outputTokens: 20, usd: 0.5 },
};
const pullRequest = {
  number: 9,
  url: "u",
  state: "open" as const,
  isDraft: true,
  checks: "pending" as const,
  review: "none" as const,
  hasUnresolvedHumanComments: false,
  mergeability: "unknown" as const,
  headSha: null,
  checksSignature: null,
  feedbackSignature: null,
  updatedAtMs: 3,
};

test("facts are read exactly as saved in every state, even after reopening (C8)", async () => {
  await using fixture = await storeFixture();
  const runs: TriageRunFacts[] = [
    triageRun(1),
    triageRun(2, created),
    triageRun(3, triaging),
    triageRun(4, [...triaging, { type: "observation-window-ended", atMs: 25 }]),
    triageRun(5, failed),
    triageRun(6, [{ type: "run-settled", atMs: 6, end: { status: "skipped", reason: "cooldown" } }]),
    triageRun(7, [{ type: "pull-requests-observed", pullRequests: [pullRequest], atMs: 6 }]),
    { ...triageRun(8), issue: { title: 'it\'s "quoted"', url: "u", waitingSinceMs: null } },
    triageRun(9, [{ type: "result-reported", result }]),
  ];
  const store = await fixture.open();
  recordBatch(store);
  for (const run of runs) store.saveRun(run);
  expect(store.runsOfBatch(RUN_ID)).toEqual(runs);
  store[Symbol.dispose]();
  using reopened = await fixture.open();
  expect(reopened.runsOfBatch(RUN_ID)).toEqual(runs);
  expect(reopened.liveRuns().map((run) => run.number)).toEqual([1, 2, 3, 4, 7, 8, 9]);
  expect(reopened.holdingRuns().map((run) => run.number)).toEqual([2, 3, 4, 5]);
});

test("a batch is finished once, with its summary (C8)", async () => {
  await using fixture = await storeFixture();
  using store = await fixture.open();
  const batch = {
    runId: RUN_ID,
    parent: "host/1/1",
    provider: "local",
    repos: ["o/r", "o/s"],
    startedAtMs: 1,
  };
  expect(store.recordBatch(batch)).toEqual({ type: "recorded" });
  expect(store.recordBatch(batch)).toEqual({ type: "run-id-taken" });
  expect(store.batches(10)).toEqual([{ ...batch, finished: null }]);
  store.finishBatch(RUN_ID, { totals: { applied: 1 } });
  await fixture.clock.advance(1_000);
  store.finishBatch(RUN_ID, { totals: { applied: 2 } });
  const finished = { atMs: 1_000_000, summary: { totals: { applied: 1 } } };
  expect(store.batches(10)).toEqual([{ ...batch, finished }]);
});

test("the latest run of an issue is its run in the newest batch (O21)", async () => {
  await using fixture = await storeFixture();
  using store = await fixture.open();
  const later = "20260102T000000Z";
  for (const runId of [later, RUN_ID]) recordBatch(store, runId);
  for (const run of [triageRun(1, [], later), triageRun(1), triageRun(2)]) store.saveRun(run);
  expect(store.latestRun("o/r", 1)?.runId).toBe(later);
  expect(store.latestRun("o/r", 2)?.runId).toBe(RUN_ID);
  expect(store.latestRun("o/r", 3)).toBeNull();
  const latest = (selection: Parameters<typeof store.latestRuns>[0]): [string, number][] =>
    store.latestRuns(selection).map((run) => [run.runId, run.number]);
  expect(latest({ limit: 10 })).toEqual([
    [later, 1],
    [RUN_ID, 2],
  ]);
  expect(latest({ limit: 1 })).toEqual([[later, 1]]);
  expect(latest({ limit: 10, number: 2 })).toEqual([[RUN_ID, 2]]);
  expect(latest({ limit: 10, repos: ["o/r", "o/other"], number: 1 })).toEqual([[later, 1]]);
  expect(latest({ limit: 10, repos: ["o/other"] })).toEqual([]);
  expect(store.batches(1).map((batch) => batch.runId)).toEqual([later]);
});

test("triggers log visible changes and nothing for a no-op write (O21)", async () => {
  await using fixture = await storeFixture();
  using store = await fixture.open();
  recordBatch(store);
  const run = triageRun(3, triaging);
  store.saveRun(run);
  const cursor = store.lastChange();
  expect(store.changesSince(0, 10)).toEqual([
    { seq: 1, type: "batch-recorded", runId: RUN_ID },
    { seq: 2, type: "run-recorded", runId: RUN_ID, repo: "o/r", number: 3 },
  ]);

  store.saveRun(run);
  const reported = transition(run, { type: "report-observed", atMs: 99 });
  store.saveRun(reported);
  expect(store.changesSince(cursor, 10)).toEqual([]);
  expect(store.latestRun("o/r", 3)).toEqual(reported);

  store.saveRun(transition(reported, { type: "activity-signalled", activity: "waiting_input", atMs: 100 }));
  store.finishBatch(RUN_ID, {});
  store.finishBatch(RUN_ID, {});
  expect(store.changesSince(cursor, 10)).toEqual([
    { seq: 3, type: "run-updated", runId: RUN_ID, repo: "o/r", number: 3 },
    { seq: 4, type: "batch-updated", runId: RUN_ID },
  ]);
  expect(store.changesSince(0, 1)).toHaveLength(1);
});

test("saving unchanged facts leaves the row byte-identical (O13)", async () => {
  await using fixture = await storeFixture();
  using store = await fixture.open();
  recordBatch(store);
  const run = triageRun(3, triaging);
  store.saveRun(run);
  const connection = new Libsql(fixture.path);
  const row = (): unknown => connection.prepare("SELECT * FROM runs").all();
  const before = row();
  await fixture.clock.advance(1_000);
  store.saveRun(transition(run, { type: "probed", runtime: "unknown", process: "dead", atMs: 900_000 }));
  expect(row()).toEqual(before);
  connection.close();
});

test("saving a run of an unrecorded batch throws and writes nothing (C8)", async () => {
  await using fixture = await storeFixture();
  using store = await fixture.open();
  expect(() => store.saveRun(triageRun(1))).toThrow(/FOREIGN KEY/);
  recordBatch(store);
  store.saveRun(triageRun(1));
  expect(store.runsOfBatch(RUN_ID)).toHaveLength(1);
});

test("the directory is 0700 and every file in it 0600 (S17)", async () => {
  await using fixture = await storeFixture();
  using store = await fixture.open();
  recordBatch(store);
  const names = readdirSync(fixture.directory);
  expect(names.toSorted()).toEqual(["runs.db", "runs.db-shm", "runs.db-wal"]);
  expect(names.map((name) => statSync(join(fixture.directory, name)).mode & 0o777)).toEqual([
    0o600, 0o600, 0o600,
  ]);
  expect(statSync(fixture.directory).mode & 0o777).toBe(0o700);
});
