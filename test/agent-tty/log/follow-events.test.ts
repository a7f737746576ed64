import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import { followEvents } from "agent-tty/testing";
import { expect, test, vi } from "vitest";
import { engine } from "../engine-fixture.ts";

/** Simulates a machine whose user has used up the inotify instances (EMFILE) or watches (ENOSPC), or that has no inotify. */
test.each(["EMFILE", "ENOSPC", "ENOSYS"])(
  "an Event Log can be followed without watches (%s) (A6)",
  async (code) => {
    await using started = await engine();
    const session = await started.create({ command: ["sh", "-c", "echo early; read line; echo got $line"] });
    // oxlint-disable-next-line require-yield -- it fails as the real one does: at the first change that is asked for
    async function* watch(): AsyncGenerator<never> {
      throw Object.assign(new Error("no watches"), { code });
    }
    const signal = AbortSignal.timeout(20_000);
    let text = "";
    let hasAnswered = false;
    const events = followEvents(session.directory, { fromSeq: 1, signal, clock: systemClock, watch });
    for await (const { record, bytes } of events) {
      if (record.type === "output") text += bytes.toString("latin1");
      if (hasAnswered || !text.includes("early")) continue;
      hasAnswered = true;
      await session.type("late\n");
    }
    expect(signal.aborted).toBe(false);
    expect(text).toContain("got late");
  },
);

test("following a Session whose host was killed ends after all events in its Event Log (A6, A18)", async () => {
  await using started = await engine();
  const session = await started.create({ command: ["sh", "-c", "echo early; read line"] });
  await session.wait({ text: "early" }, { callerTimeoutMs: 20_000 });
  const manifest = await started.home.readManifest(session.id);
  const signal = AbortSignal.timeout(20_000);
  const events = followEvents(session.directory, { fromSeq: 1, signal, clock: systemClock });
  let text = "";
  for await (const { record, bytes } of events) {
    if (record.type === "output") text += bytes.toString("latin1");
    // Simulates a killed host: no process has this pid.
    await started.home.writeManifest({ ...manifest, hostPid: 2 ** 22 + 1 });
  }
  expect({ text, isTooLate: signal.aborted }).toEqual({ text: "early\r\n", isTooLate: false });
  await started.home.writeManifest(manifest);
});

test("following ends when the Session is removed (A6, A18)", async () => {
  await using started = await engine();
  const session = await started.create({ command: ["sh", "-c", "echo early"] });
  await session.exited;
  await session.destroy();
  const signal = AbortSignal.timeout(20_000);
  // Starts after all events of the Session, so that following has to wait.
  const events = followEvents(session.directory, { fromSeq: 1_000, signal, clock: systemClock });
  const following = events.next();
  await rm(session.directory, { recursive: true });
  expect(await following).toEqual({ done: true, value: undefined });
  expect(signal.aborted).toBe(false);
});

test("follow continues while the manifest is temporarily unreadable (A6, O13)", async () => {
  await using started = await engine();
  const session = await started.create({ command: ["sh", "-c", "echo early; read line; echo got $line"] });
  const path = join(session.directory, "session.json");
  let looks = 0;
  const clock = {
    ...systemClock,
    schedule: (ms: number, action: () => void) => {
      looks += 1;
      return systemClock.schedule(Math.min(ms, 10), action);
    },
  };
  let text = "";
  const read = (async () => {
    const signal = AbortSignal.timeout(20_000);
    for await (const { record, bytes } of followEvents(session.directory, { fromSeq: 1, signal, clock }))
      if (record.type === "output") text += bytes.toString("latin1");
  })();
  await vi.waitFor(() => expect(text).toContain("early"), 20_000);
  const manifest = await readFile(path);
  await writeFile(path, "{ half");
  const before = looks;
  await vi.waitFor(() => expect(looks).toBeGreaterThan(before + 3), 20_000);
  await writeFile(path, manifest);
  await session.type("late\n");
  await read;
  expect(text).toContain("got late");
});
