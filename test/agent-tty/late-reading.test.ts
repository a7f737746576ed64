import { existsSync } from "node:fs";
import { join } from "node:path";
import { createSession, nodePtySpawner, openHome, type SpawnPty } from "agent-tty";
import { type Clock, systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import { engine } from "./engine-fixture.ts";

/** How long the engine reads from a terminal that outlives its program: the only timer with this duration. */
const LINGER_MS = 200;

/**
 * A clock that simulates a process without CPU time: it blocks when its program has exited, until `happened` returns true and a
 * little longer.
 */
function stalledClock(happened: () => boolean): Clock {
  let hasStalled = false;
  const stall = (): void => {
    hasStalled = true;
    while (!happened());
    for (const from = systemClock.monotonicMs(); systemClock.monotonicMs() - from < LINGER_MS + 50;);
  };
  return {
    ...systemClock,
    schedule: (durationMs, action) => {
      const timer = systemClock.schedule(durationMs, action);
      if (durationMs === LINGER_MS && !hasStalled) stall();
      return timer;
    },
  };
}

test("a Session keeps output that was written in time, even when the process reads it late (A18)", async () => {
  await using started = await engine();
  const { directory, env } = started;
  const clock = stalledClock(() => existsSync(join(directory, "said")));
  const home = await openHome({ directory: join(directory, "late"), clock, ids: systemIds(systemClock) });
  const script = "trap '' HUP; (sleep 0.05; echo said late; : > said; sleep 100) & exit 0";
  await using session = await createSession(home, { command: ["sh", "-c", script], cwd: directory, env });
  expect(await session.exited).toEqual({ type: "code", code: 0 });
  expect((await session.snapshot()).visibleLines.join("\n")).toContain("said late");
});

/** How long a Session waits for the end of a child that it has killed: the only timer with this duration. */
const KILL_GRACE_MS = 5_000;

test("a dead child is not reported as stuck if its exit is noticed late (A2)", async () => {
  await using started = await engine();
  const { directory, env } = started;
  const clock: Clock = {
    ...systemClock,
    schedule: (durationMs, action) =>
      systemClock.schedule(durationMs === KILL_GRACE_MS ? 0 : durationMs, action),
  };
  const late: SpawnPty = (spec, listener) =>
    nodePtySpawner(clock)(spec, {
      ...listener,
      exit: (exit) => void systemClock.schedule(300, () => listener.exit(exit)),
    });
  const home = await openHome({ directory: join(directory, "late"), clock, ids: systemIds(systemClock) });
  await using session = await createSession(home, { command: ["sleep", "100"], cwd: directory, env }, late);
  expect(await session.destroy({ force: true })).toBe("destroyed");
});
