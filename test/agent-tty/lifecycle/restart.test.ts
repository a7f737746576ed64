import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  collectGarbage,
  createSession,
  openHome,
  readEvents,
  replaySession,
  restartSession,
} from "agent-tty";
import { type Clock, systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { engine, PATIENT } from "../engine-fixture.ts";

test("restart continues the same Session, with the old screen above a separator (L11)", async () => {
  await using started = await engine();
  const script =
    'if [ -e twice ]; then echo "second life"; cat; else : > twice; echo "first life"; exit 3; fi';
  const first = await started.create({ command: ["sh", "-c", script], name: "phoenix", cols: 60, rows: 12 });
  await first.exited;
  const seqBefore = first.lastSeq();
  await first[Symbol.asyncDispose]();
  // An incomplete record, as a host leaves it that was killed while writing.
  await appendFile(join(first.directory, "events.jsonl"), '{"seq":99,"t":1,"type":"out');
  await using again = await restartSession(started.home, first.id, { env: started.env });
  expect([again.id, again.status()]).toEqual([first.id, "running"]);
  await again.wait({ text: "second life" }, PATIENT);
  const screen = (await again.snapshot()).visibleLines.join("\n");
  expect(screen).toMatch(/first life[^]*── restarted \d{4}-[^]*second life/);
  expect(await started.home.readManifest(first.id)).toMatchObject({
    name: "phoenix",
    status: "running",
    exit: null,
  });
  await again.type("typed\r");
  await again.destroy();
  const damage: unknown[] = [];
  const seqs: number[] = [];
  const types: string[] = [];
  for await (const { record } of readEvents(first.directory, { onDamage: (seen) => damage.push(seen) })) {
    seqs.push(record.seq);
    types.push(record.type);
  }
  expect(damage).toEqual([]);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  expect(types.indexOf("restarted")).toBe(seqBefore);
  expect((await replaySession(started.home, first.id)).visibleLines.join("\n")).toContain("typed");
});

test("restart accepts only a Session that has ended, is closed and is not being removed (L11)", async () => {
  await using started = await engine();
  const options = { env: started.env };
  const running = await started.create({ command: ["cat"] });
  const refused = async (id: string, code: string): Promise<void> =>
    expect(restartSession(started.home, id, options)).rejects.toMatchObject({ code });
  await refused(running.id, "INVALID_INPUT");
  const open = await started.create({ command: ["true"] });
  await open.exited;
  await refused(open.id, "INVALID_INPUT");
  await running.destroy();
  await refused(running.id, "SESSION_ALREADY_DESTROYED");
  await refused(started.home.ids.ulid(), "SESSION_NOT_FOUND");
  await open[Symbol.asyncDispose]();
  const results = await Promise.allSettled([1, 2].map(() => restartSession(started.home, open.id, options)));
  expect(results.map((result) => result.status).toSorted()).toEqual(["fulfilled", "rejected"]);
  for (const result of results) if (result.status === "fulfilled") await result.value[Symbol.asyncDispose]();
});

test("a restart whose program cannot be started leaves the Session unchanged (L11)", async () => {
  await using started = await engine();
  const session = await started.create({ command: ["true"] });
  await session.exited;
  await session[Symbol.asyncDispose]();
  const env = { ...started.env, PATH: "/nowhere" };
  await expect(restartSession(started.home, session.id, { env })).rejects.toMatchObject({
    code: "SPAWN_PROGRAM_MISSING",
  });
  expect(await started.home.readManifest(session.id)).toMatchObject({ status: "exited" });
  const signal = new AbortController().signal;
  const gc = await collectGarbage(started.home, { isDryRun: false, olderThanMs: 0, signal });
  expect(gc.removed).toMatchObject([{ sessionId: session.id }]);
});

const IDLE_TIMEOUT_MS = 1_000_000;

/** A clock whose idle timer goes off only when the test says so: a busy machine may take long to start a program. */
function idleClock() {
  let passedMs = 0;
  const timers: { durationMs: number; goOff: () => void }[] = [];
  const clock: Clock = {
    ...systemClock,
    monotonicMs: () => systemClock.monotonicMs() + passedMs,
    schedule: (durationMs, goOff) => {
      if (durationMs < IDLE_TIMEOUT_MS / 2) return systemClock.schedule(durationMs, goOff);
      timers.push({ durationMs, goOff });
      return { [Symbol.dispose]: () => undefined };
    },
  };
  return {
    clock,
    pass: (durationMs: number) => void (passedMs += durationMs),
    goOff: () => timers.at(-1)?.goOff(),
    scheduledMs: () => timers.at(-1)?.durationMs ?? 0,
  };
}

test("a Session without input and output is ended with SIGHUP after its idle timeout, and its manifest has the reason (A2)", async () => {
  await using started = await engine();
  const { clock, pass, goOff } = idleClock();
  const home = await openHome({ directory: started.home.directory, clock, ids: started.home.ids });
  const script = "trap 'echo bye; exit 7' HUP; echo up; read x";
  const spec = { command: ["sh", "-c", script], cwd: started.directory, env: started.env } as const;
  await using session = await createSession(home, { ...spec, idleTimeoutMs: IDLE_TIMEOUT_MS });
  await session.wait({ text: "up" }, PATIENT);
  pass(IDLE_TIMEOUT_MS);
  goOff();
  expect(await session.exited).toEqual({ type: "code", code: 7 });
  expect(await home.readManifest(session.id)).toMatchObject({
    status: "exited",
    failure: "no input and no output for 1000000 ms",
  });
});

test("output and input restart the idle timeout (A2)", async () => {
  await using started = await engine();
  const { clock, pass, goOff, scheduledMs } = idleClock();
  const home = await openHome({ directory: started.home.directory, clock, ids: started.home.ids });
  const script = "stty -echo; echo up; while [ ! -e go ]; do sleep 0.02; done; echo out; read x";
  const spec = { command: ["sh", "-c", script], cwd: started.directory, env: started.env } as const;
  await using session = await createSession(home, { ...spec, idleTimeoutMs: IDLE_TIMEOUT_MS });
  const staysFor = async (touch: () => Promise<unknown>): Promise<void> => {
    pass(0.9 * IDLE_TIMEOUT_MS);
    await touch();
    pass(0.2 * IDLE_TIMEOUT_MS);
    goOff();
    expect(session.status()).toBe("running");
    // The timer is scheduled again for the rest of the time.
    expect(scheduledMs() / IDLE_TIMEOUT_MS).toBeCloseTo(0.8, 1);
  };
  await session.wait({ text: "up" }, PATIENT);
  await staysFor(async () => {
    await writeFile(join(started.directory, "go"), "");
    await session.wait({ text: "out" }, PATIENT);
  });
  await staysFor(() => session.type("unfinished"));
  pass(IDLE_TIMEOUT_MS);
  goOff();
  expect(await session.exited).toEqual({ type: "signal", signal: "SIGHUP" });
});
