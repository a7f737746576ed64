import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { createPace } from "../../src/workspaces/coder/pace.ts";

test("the creates of one parent are paced to five per second, in the order of the requests", async () => {
  const pauses: number[] = [];
  let nowMs = 1_000;
  const clock = {
    ...systemClock,
    monotonicMs: () => nowMs,
    sleep: async (ms: number) => void pauses.push(ms),
  };
  const pace = createPace(clock, 200);
  const { signal } = new AbortController();
  for (let turn = 1; turn <= 4; turn += 1) await pace(signal);
  expect(pauses).toEqual([200, 400, 600]);
  nowMs += 10_000;
  await pace(signal);
  expect(pauses).toHaveLength(3);
});

test("a create that waits for its turn rejects with the signal's reason", async () => {
  const pace = createPace(systemClock, 60_000);
  const stop = new AbortController();
  await pace(stop.signal);
  const waiting = pace(stop.signal);
  stop.abort(new Error("stopped by the test"));
  await expect(waiting).rejects.toThrow("stopped by the test");
});
