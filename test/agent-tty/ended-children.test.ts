import { type Clock, systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { awaitEnd, type PosixCalls } from "../../src/agent-tty/processes/index.ts";

/** More sleeps than this in one turn mean a loop that never yields: the test then fails instead of hanging. */
const MAX_WAITS = 50;

test("a child that is awaited in the turn in which the last one ended is checked at intervals, not in a busy loop (P11)", async () => {
  const ended = new Set<number>();
  const calls = {
    endedChild: () => [...ended][0] ?? null,
    statusOf: (pid) => (ended.delete(pid) ? 0 : null),
  } satisfies Partial<PosixCalls> as unknown as PosixCalls;
  let waits = 0;
  let wake = (): void => undefined;
  const clock: Clock = {
    ...systemClock,
    sleep: (_, signal) => {
      waits += 1;
      if (waits > MAX_WAITS) ended.add(2);
      return new Promise((resolve, reject) => {
        wake = resolve;
        const refuse = (): void => reject(new Error("aborted"));
        if (signal?.aborted === true) refuse();
        else signal?.addEventListener("abort", refuse, { once: true });
      });
    },
  };
  // The first child has ended before it is awaited.
  ended.add(1);
  const first = awaitEnd(1, calls, clock);
  const second = awaitEnd(2, calls, clock);
  await first;
  await new Promise((resolve) => setImmediate(resolve));
  ended.add(2);
  wake();
  expect(await second).toEqual({ code: 0, signalNumber: 0 });
  expect(waits).toBeLessThan(MAX_WAITS);
});
