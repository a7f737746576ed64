import { existsSync } from "node:fs";
import { join } from "node:path";
import { createSession, nodePtySpawner, openHome, type SpawnPty } from "agent-tty";
import { type Clock, systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import { seeded } from "../support/seeded.ts";
import { engine, PATIENT } from "./engine-fixture.ts";

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

/** Passes on each read in up to three parts, cut at any byte, with up to 5 ms between them. */
function tornTerminal(random: () => number): SpawnPty {
  return (spec, listener) => {
    let passed = Promise.resolve();
    const pass = (act: () => void): void => {
      const pauseMs = Math.floor(random() * 6);
      passed = passed.then(() => systemClock.sleep(pauseMs)).then(act);
    };
    return nodePtySpawner(systemClock)(spec, {
      output: (read) => {
        const bytes = Buffer.from(read);
        const cuts = [random(), random()]
          .map((at) => Math.floor(at * bytes.byteLength))
          .toSorted((a, b) => a - b);
        for (const [from, to] of [[0, cuts[0]], cuts, [cuts[1], bytes.byteLength]])
          if (from !== to) pass(() => listener.output(bytes.subarray(from, to)));
      },
      exit: (exit) => pass(() => listener.exit(exit)),
    });
  };
}

test.each([[["bash", "--norc"]], [["sh"]]] as const)(
  "reads that are cut at any byte result in the same runs, waits and screen in %j (A7, A16, A19)",
  async (command) => {
    await using started = await engine();
    const { home, directory, env } = started;
    const play = async (spawn: SpawnPty): Promise<unknown> => {
      const spec = { cwd: directory, env, shellIntegration: "automatic" } as const;
      await using session = await createSession(home, { ...spec, command: [...command] }, spawn);
      // The program of a shell without hooks may end before the prompt is read, which then belongs to the next output.
      const prompted = (): Promise<unknown> =>
        session.wait({ regex: "[#$] ?$", screenStableMs: 50 }, PATIENT);
      const ends: unknown[] = [];
      for (const commandLine of [
        "printf '\\303\\251 \\360\\237\\231\\202 \\033[1;31mred\\033[0m\\n'",
        "seq 40; (exit 7)",
        "printf '\\033]0;a title\\007\\033[2J\\033[Htop\\n'; false",
        "printf '\\033[?2026hframe\\033[?2026l\\n'",
      ]) {
        await prompted();
        const result = await session.run(commandLine, PATIENT);
        const exitCode = result.type === "completed" ? result.exitCode : result;
        ends.push([exitCode, await session.readOutput(result.output, 10_000)]);
      }
      await prompted();
      const waited = session.wait({ regex: "^waited (.) for$", screenStableMs: 20 }, PATIENT);
      await session.run("printf 'waited \\303\\251 for\\n'", PATIENT);
      const { type, matchedText } = { matchedText: null, ...(await waited) };
      await session.run("exit 3", PATIENT);
      const { visibleLines, cursor, title } = await session.snapshot();
      return { ends, waited: { type, matchedText }, exit: await session.exited, visibleLines, cursor, title };
    };
    const whole = await play(nodePtySpawner(systemClock));
    for (const seed of [1, 2])
      expect({ seed, ended: await play(tornTerminal(seeded(seed))) }).toEqual({ seed, ended: whole });
  },
);
