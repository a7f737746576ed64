import { expect, test } from "vitest";
import { readRuns } from "../../src/store/index.ts";
import { recordBatch, RUN_ID, storeFixture, triageRun } from "./store-fixture.ts";

test("read runs have a Display Status derived at the time of reading (O20)", async () => {
  await using fixture = await storeFixture();
  using store = await fixture.open();
  recordBatch(store);
  store.saveRun(triageRun(1, [{ type: "spawn-completed", isSignalCapable: true, atMs: 100 }]));
  store.saveRun(
    triageRun(2, [{ type: "run-settled", atMs: 9, end: { status: "skipped", reason: "cooldown" } }]),
  );
  const before = store.lastChange();
  const statuses = (nowMs: number) => readRuns(store, nowMs).map((row) => [row.key, row.displayStatus]);
  expect(statuses(90_100)).toEqual([
    ["o/r#1", "idle"],
    ["o/r#2", "terminated"],
  ]);
  expect(statuses(90_101)).toEqual([
    ["o/r#1", "no_signal"],
    ["o/r#2", "terminated"],
  ]);
  expect(store.lastChange()).toBe(before);
});

test("live runs, and runs of a batch or an issue, can be selected, and have start, end and indicator (O20)", async () => {
  await using fixture = await storeFixture();
  using store = await fixture.open();
  recordBatch(store);
  store.saveRun(triageRun(1));
  store.saveRun(
    triageRun(2, [{ type: "run-settled", atMs: 9, end: { status: "skipped", reason: "cooldown" } }]),
  );
  expect(readRuns(store, 9, { type: "live" }).map((row) => row.key)).toEqual(["o/r#1"]);
  expect(readRuns(store, 9, { type: "batch", runId: RUN_ID }).map((row) => row.key)).toEqual([
    "o/r#1",
    "o/r#2",
  ]);
  expect(readRuns(store, 9, { type: "issue", repo: "o/r", number: 2 })).toMatchObject([
    { startedAtMs: 5, settledAtMs: 9, indicator: { symbol: "✅", isPulsing: false } },
  ]);
  expect(readRuns(store, 9, { type: "issue", repo: "o/r", number: 3 })).toEqual([]);
});
