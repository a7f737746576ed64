import { once } from "node:events";
import { execa } from "execa";
import { expect, test, vi } from "vitest";
import { bundleProcesses } from "./bundle-processes.ts";
import { RUN_ID, type StoreFixture, storeFixture } from "./store-fixture.ts";

// The tests run real processes, possibly on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const LATER = "20260102T000000Z";

function startWriter(program: string, fixture: StoreFixture, runId: string, count: number) {
  return execa("node", [program, fixture.path, runId, String(count)], { reject: false });
}

test("two processes create the store concurrently and write to it without losing a run (O21)", async () => {
  await using programs = await bundleProcesses();
  await using fixture = await storeFixture();
  const ends = await Promise.all(
    [RUN_ID, LATER].map((runId) => startWriter(programs.writer, fixture, runId, 150)),
  );
  expect(ends.map((end) => [end.exitCode, end.stderr])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  using store = await fixture.open();
  expect(store.runsOfBatch(RUN_ID)).toHaveLength(150);
  expect(store.runsOfBatch(LATER)).toHaveLength(150);
  const sequences = store.changesSince(0, 1_000).map((change) => change.seq);
  expect(sequences).toEqual(Array.from({ length: 302 }, (_, index) => index + 1));
});

test("a process killed in the middle of its writes leaves a store that opens with every committed run (O21)", async () => {
  await using programs = await bundleProcesses();
  await using fixture = await storeFixture();
  const writer = startWriter(programs.writer, fixture, RUN_ID, 1_000_000);
  let printed = "";
  writer.stdout?.on("data", (chunk: Buffer | string) => {
    printed += chunk.toString();
    if (printed.split("\n").length > 200) writer.kill("SIGKILL");
  });
  const [end] = await Promise.all([writer, once(writer, "exit")]);
  expect(end.signal).toBe("SIGKILL");
  const committed = printed.slice(0, printed.lastIndexOf("\n")).split("\n").map(Number);

  using store = await fixture.open();
  const numbers = store.runsOfBatch(RUN_ID).map((run) => run.number);
  expect(numbers.slice(0, committed.length)).toEqual(committed);
  // The difference is at most the one run that was committed but not yet printed.
  expect(numbers.length - committed.length).toBeLessThanOrEqual(1);
  expect(store.lastChange()).toBe(numbers.length + 1);
  expect(store.batches(1)[0]?.finished).toBeNull();
  expect(
    store.recordBatch({ runId: LATER, parent: "p", provider: "local", repos: [], startedAtMs: 1 }).type,
  ).toBe("recorded");
});
