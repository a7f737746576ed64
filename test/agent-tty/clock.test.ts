import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test, vi } from "vitest";
import { systemClock } from "../../src/agent-tty/kit/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** 60 days: more than twice the longest Node timer. */
const LONG_MS = 60 * 86_400_000;

afterEach(() => void vi.useRealTimers());

test("an action scheduled for 60 days later runs then, and not before", async () => {
  vi.useFakeTimers();
  const action = vi.fn();
  using _timer = systemClock.schedule(LONG_MS, action);
  await vi.advanceTimersByTimeAsync(LONG_MS - 1);
  expect(action).not.toHaveBeenCalled();
  // The action runs one turn of the event loop later, which the fake timers count as a millisecond.
  await vi.advanceTimersByTimeAsync(2);
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

test("after a stall of this process, a scheduled action runs after what arrived meanwhile, and may still be cancelled by it (A2, A16)", async () => {
  await using directory = await temporaryDirectory();
  const server = createServer().listen(join(directory.path, "socket"));
  await once(server, "listening");
  const accepted = once(server, "connection");
  const sender = connect(join(directory.path, "socket"));
  const [receiver] = (await accepted) as [Socket];
  const seen: string[] = [];
  const due = new Promise<void>((resolve) => {
    systemClock.schedule(1, () => resolve(void seen.push("due")));
  });
  const cancelled = systemClock.schedule(1, () => seen.push("cancelled"));
  receiver.on("data", () => {
    seen.push("data");
    cancelled[Symbol.dispose]();
  });
  // The byte is in the kernel and the timers are due before the event loop continues.
  sender.write("x");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  await due;
  expect(seen).toEqual(["data", "due"]);
  sender.destroy();
  receiver.destroy();
  server.close();
});
