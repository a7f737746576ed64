import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rename, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { collectGarbage, type GcResult } from "agent-tty";
import { describe, expect, test, vi } from "vitest";
import { type Engine, engine } from "../engine-fixture.ts";
import { writeSession } from "../written-log.ts";

const NOW = { isDryRun: false, olderThanMs: 0, signal: new AbortController().signal };

const reasons = (entries: GcResult["kept"] | GcResult["removed"]): Record<string, string> =>
  Object.fromEntries(entries.map(({ sessionId, reason }) => [sessionId, reason]));

const left = async (started: Engine): Promise<string[]> =>
  (await readdir(join(started.home.directory, "sessions"))).toSorted();

describe("gc", () => {
  test("gc removes the Collectable Sessions and keeps the active ones, with reasons (A22)", async () => {
    await using started = await engine();
    const running = await started.create({ command: ["cat"] });
    const ended = await started.create({ command: ["true"] });
    const destroyed = await started.create({ command: ["cat"] });
    await Promise.all([ended.exited, destroyed.destroy()]);
    const dry = await collectGarbage(started.home, { ...NOW, isDryRun: true });
    expect(Object.keys(reasons(dry.removed))).toEqual([ended.id, destroyed.id]);
    expect(await left(started)).toHaveLength(3);
    const { removed, kept } = await collectGarbage(started.home, NOW);
    expect(reasons(removed)).toEqual({ [ended.id]: "collectable", [destroyed.id]: "collectable" });
    expect(reasons(kept)).toEqual({ [running.id]: "active" });
    expect(await left(started)).toEqual([running.id]);
    await running.type("still here\r");
  });

  test("--older-than keeps Sessions that changed recently (A22)", async () => {
    await using started = await engine();
    const old = await writeSession(started.home, []);
    const young = await started.create({ command: ["true"] });
    await young.exited;
    const { removed, kept } = await collectGarbage(started.home, { ...NOW, olderThanMs: 3_600_000 });
    expect(reasons(removed)).toEqual({ [old.sessionId]: "collectable" });
    expect(reasons(kept)).toEqual({ [young.id]: "too-recent" });
  });

  test("gc removes a Session with an incomplete or missing manifest only if its host is gone (A22)", async () => {
    await using started = await engine();
    const [torn, headless] = [
      await started.create({ command: ["cat"] }),
      await started.create({ command: ["cat"] }),
    ];
    await truncate(join(torn.directory, "session.json"), 30);
    await rm(join(headless.directory, "session.json"));
    const first = await collectGarbage(started.home, NOW);
    expect(reasons(first.kept)).toEqual({ [torn.id]: "host-running", [headless.id]: "host-running" });
    const gone = JSON.stringify({ hostPid: process.pid, hostStartTicks: "1" });
    for (const session of [torn, headless]) await writeFile(join(session.directory, "owner.json"), gone);
    const second = await collectGarbage(started.home, NOW);
    expect(reasons(second.removed)).toEqual({
      [torn.id]: "manifest-unreadable",
      [headless.id]: "creation-failed",
    });
    for (const session of [torn, headless]) await session.destroy().catch(() => undefined);
  });

  test("gc removes the leftovers of a killed create or gc, and keeps Sessions that may still be being created (A22)", async () => {
    await using started = await engine();
    const sessions = join(started.home.directory, "sessions");
    const ids = [1, 2, 3, 4].map(() => started.home.ids.ulid());
    const names = [`.new-${ids[0]}-4194305-1`, `.new-${ids[1]}`, `${ids[2]}`, `.gone-${ids[3]}-abcd`];
    for (const name of names) await mkdir(join(sessions, name, "artifacts"), { recursive: true });
    await utimes(join(sessions, names[0] ?? ""), 1, 1);
    const { removed, kept } = await collectGarbage(started.home, NOW);
    expect(reasons(removed)).toEqual({
      [ids[0] ?? ""]: "creation-failed",
      [ids[3] ?? ""]: "removal-unfinished",
    });
    expect(reasons(kept)).toEqual({ [ids[1] ?? ""]: "too-recent", [ids[2] ?? ""]: "too-recent" });
  });

  test.each([
    ["rm", process.env["PATH"]],
    ["this process, where the system has no rm", "/nonexistent"],
  ])("gc removes several hundred directories by %s (A22, P10)", async (_, path) => {
    await using started = await engine();
    const sessions = join(started.home.directory, "sessions");
    const ids = Array.from({ length: 300 }, () => started.home.ids.ulid());
    for (const id of ids) {
      const directory = join(sessions, `.gone-${id}-abcd`, "artifacts");
      await mkdir(directory, { recursive: true });
      await writeFile(join(directory, "snapshot.json"), "{}");
    }
    vi.stubEnv("PATH", path);
    try {
      const { removed, kept } = await collectGarbage(started.home, NOW);
      expect(removed.map(({ sessionId }) => sessionId)).toEqual(ids.toSorted());
      expect(kept).toEqual([]);
      expect(await left(started)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("gc keeps a Session that another process has claimed, but ignores the claim of a dead process (A22)", async () => {
    await using started = await engine();
    const session = await started.create({ command: ["true"] });
    await session.exited;
    await session.destroy();
    const { hostPid, hostStartTicks } = await started.home.readManifest(session.id);
    const claim = join(session.directory, `owner.${hostPid}.${hostStartTicks}.00ff.claim`);
    await rename(join(session.directory, "owner.json"), claim);
    expect(reasons((await collectGarbage(started.home, NOW)).kept)).toEqual({ [session.id]: "busy" });
    await rename(claim, join(session.directory, `owner.${hostPid}.1.00ff.claim`));
    expect((await collectGarbage(started.home, NOW)).removed).toHaveLength(1);
  });

  test.runIf(process.platform === "linux")(
    "gc kills the processes that a killed host left running (A22)",
    async () => {
      await using started = await engine();
      const over = await writeSession(started.home, []);
      const stray = (sessionId: string): ChildProcess =>
        spawn("sleep", ["100"], {
          env: { ...started.env, AGENT_TTY_SESSION_ID: sessionId },
          stdio: "ignore",
        });
      const [left, foreign] = [stray(over.sessionId), stray(started.home.ids.ulid())];
      await Promise.all([once(left, "spawn"), once(foreign, "spawn")]);
      const ended = once(left, "exit");
      expect((await collectGarbage(started.home, NOW)).removed).toHaveLength(1);
      expect(await ended).toEqual([null, "SIGKILL"]);
      expect([foreign.exitCode, foreign.signalCode]).toEqual([null, null]);
      foreign.kill("SIGKILL");
      await once(foreign, "exit");
    },
  );
});
