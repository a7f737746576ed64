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
