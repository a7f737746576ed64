import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test, vi } from "vitest";
import { systemClock } from "../../src/agent-tty/kit/index.ts";

/** 60 days: more than twice the longest Node timer. */
const LONG_MS = 60 * 86_400_000;

afterEach(() => void vi.useRealTimers());

test("an action scheduled for 60 days later runs then, and not before", async () => {
  vi.useFakeTimers();
  const action = vi.fn();
  using _timer = systemClock.schedule(LONG_MS, action);
  await vi.advanceTimersByTimeAsync(LONG_MS - 1);
  expect(action).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(action).toHaveBeenCalledOnce();
});

test("an action scheduled for 60 days later can be cancelled after 30", async () => {
  vi.useFakeTimers();
  const action = vi.fn();
  const timer = systemClock.schedule(LONG_MS, action);
  await vi.advanceTimersByTimeAsync(LONG_MS / 2);
  timer[Symbol.dispose]();
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(action).not.toHaveBeenCalled();
});

test("a sleep of 60 days lasts until its signal aborts", async () => {
  const reason = new Error("woken");
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 50);
  await expect(systemClock.sleep(LONG_MS, controller.signal)).rejects.toBe(reason);
});

test("cancelled actions leave no memory behind, however many different times they were scheduled for (P11)", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const COUNT = 50_000;
  const action = (): void => undefined;
  const cancelAll = (from: number): number => {
    for (let at = 0; at < COUNT; at += 1) systemClock.schedule(from + at, action)[Symbol.dispose]();
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = cancelAll(LONG_MS / 8);
  // Node's own list of the timers of one duration takes about 150 bytes.
  expect((cancelAll(LONG_MS / 4) - before) / COUNT).toBeLessThan(40);
});
