import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { selectedTriageRun, transition } from "../../../src/runs/index.ts";
import { createCanaryDetector, createSessionCleaner } from "../../../src/triage/index.ts";
import { type BatchStage, openBatchStage } from "../../support/batch/batch-stage.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const DEAD_PARENT = "20260101T000000Z";

/** Stores a run that a parent of this machine left in the middle of its work when it was killed. */
function lostRun(stage: BatchStage, name: string, provider = "local", sessionId: string | null = null): void {
  const { repo } = stage.github;
  const [host] = stage.ports.parent.split("/");
  const start = stage.ports.parent.split("/").slice(2).join("/");
  const parent = `${host}/4194304/${start}`;
  stage.store.recordBatch({ runId: DEAD_PARENT, parent, provider, repos: [repo], startedAtMs: 1 });
  const events = [
    { type: "phase-entered", phase: "creating", atMs: 2 },
    { type: "workspace-requested", name },
    { type: "workspace-created", id: "gone" },
    { type: "workspace-ready" },
    ...(sessionId === null ? [] : [{ type: "session-opened", sessionId } as const]),
    { type: "phase-entered", phase: "triaging", atMs: 3 },
    { type: "prompt-admitted", atMs: 4 },
  ] as const;
  stage.store.saveRun(
    events.reduce(transition, selectedTriageRun({ runId: DEAD_PARENT, repo, number: 9, atMs: 1 })),
  );
}

test.concurrent("a killed parent's run has no active prompt after the next start, and is settled once its Coder workspace is gone (C9)", async () => {
  await using stage = await openBatchStage();
  lostRun(stage, "widgets-triage-9");
  await stage.run();
  expect(stage.store.latestRun(stage.github.repo, 9)).toMatchObject({
    runState: { state: "idle" },
    activity: { isTerminated: true },
    coderWorkspace: { state: "absent", name: "widgets-triage-9" },
    progress: { phase: "settled", end: { status: "failed", reason: "parent-lost" } },
  });
  expect(stage.store.liveRuns()).toEqual([]);
  expect(stage.warnings()).toEqual([]);
});

describe("the next process removes secrets from the Sessions of a killed parent (S8, S18)", () => {
  const TOKEN = "ghp_q8Zr4LmX2vKc9TnB7wYd1HsJ6fGp3RaE5uNi";

  /** Creates a Session on disk, with the token in its output. */
  async function session(stage: BatchStage, hostPid: number): Promise<{ id: string; output: string }> {
    const { ids, sessionHome, parent } = stage.ports;
    const id = ids.ulid();
    const directory = await sessionHome.createSessionDirectory(id);
    const [now, hostStartTicks] = ["2026-01-01T00:00:00.000Z", parent.split(".").at(-1) ?? null];
    const [size, host] = [
      { cols: 80, rows: 24 },
      { hostPid, hostStartTicks, childPid: 4_194_306 },
    ];
    const times = { createdAt: now, updatedAt: now, exit: null, failure: null };
    const command = { command: ["bash"], cwd: "/", environmentNames: [], term: "xterm" };
    const head = { version: 1, sessionId: id, name: null, status: "running" } as const;
    await sessionHome.writeManifest({ ...head, ...command, ...size, ...times, ...host });
    const output = join(directory, "output.bin");
    await writeFile(output, `the Triage Agent printed ${TOKEN}\n`);
    await writeFile(join(directory, "events.jsonl"), "{}\n");
    return { id, output };
  }

  test.concurrent("tokens are masked in the Triage Agent's Session and in all other Sessions of that parent, but not in those of a living parent", async () => {
    await using stage = await openBatchStage();
    // The first Session is named only by the run, the second only by its host.
    const [named, hosted, living] = await Promise.all([
      session(stage, 4_194_305),
      session(stage, 4_194_304),
      session(stage, process.pid),
    ]);
    lostRun(stage, "widgets-triage-9", "coder", named.id);
    await stage.run();
    const outputs = await Promise.all([named, hosted, living].map(({ output }) => readFile(output, "utf8")));
    expect(outputs.map((output) => output.includes(TOKEN))).toEqual([false, false, true]);
    expect(outputs[0]).toContain("the Triage Agent printed ****");
    expect(stage.warnings()).toEqual([]);
  });

  test.concurrent("a Session that contains a secret is emptied, even if no Coder workspace can be listed", async () => {
    await using stage = await openBatchStage();
    const { provider, cleaner } = stage.ports;
    const { id, output } = await session(stage, 4_194_304);
    lostRun(stage, "widgets-triage-9", "coder", id);
    const canaries = createCanaryDetector([{ name: "GITHUB_TOKEN", value: TOKEN }]);
    const list = () => Promise.reject(new Error("Coder does not answer"));
    const ports = { provider: { ...provider, list }, cleaner: createSessionCleaner(canaries) };
    await stage.run({ ports }).catch(() => undefined);
    expect(existsSync(output)).toBe(false);
    expect(stage.warnings().join()).toContain("holds the parent's secret GITHUB_TOKEN (plain)");

    const other = await session(stage, 4_194_304);
    const clean = () => Promise.reject(new Error("it cannot be read"));
    await stage.run({ ports: { cleaner: { ...cleaner, clean } } });
    expect(existsSync(other.output)).toBe(false);
    expect(stage.warnings().join()).toContain("could not be cleaned: it cannot be read");
  });
});

test.concurrent("the next batch removes the temporary Session files of a killed parent, but not those of a living one (T5)", async () => {
  await using stage = await openBatchStage();
  const { ids, sessionHome } = stage.ports;
  const open = async (owner: object): Promise<string> => {
    const directory = await sessionHome.createSessionDirectory(ids.ulid());
    await writeFile(join(directory, "session.json.0a1b2c3d.tmp"), "{");
    await writeFile(join(directory, "artifacts", "screenshot.png.4e5f6a7b.tmp"), "");
    await writeFile(join(directory, "owner.json"), JSON.stringify(owner));
    return directory;
  };
  const dead = await open({ hostPid: 4_194_305, hostStartTicks: "1" });
  const living = await open({ hostPid: process.pid, hostStartTicks: null });
  const before = await readdir(living, { recursive: true });
  const sessions = dirname(living);
  const unfinished = [`.new-${ids.ulid()}-4194305-1`, `.new-${ids.ulid()}-${process.pid}-none`];
  for (const name of unfinished) await mkdir(join(sessions, name, "artifacts"), { recursive: true });
  await stage.run();
  const left = await readdir(sessions);
  expect(left.filter((name) => name.startsWith(".new-"))).toEqual(unfinished.slice(1));
  expect(await readdir(dead, { recursive: true })).toEqual(before.filter((name) => !name.endsWith(".tmp")));
  expect(await readdir(living, { recursive: true })).toEqual(before);
});

test.concurrent("the next batch removes the killed parent's temporary files of the run and of the reproduction, and no others (T5)", async () => {
  await using stage = await openBatchStage();
  const { reproductions, runsDirectory } = stage.ports;
  lostRun(stage, "widgets-triage-9");
  const run = (runId: string): string => join(runsDirectory, runId, "octo__widgets-9");
  const reproduction = (number: number) => reproductions.pathOf({ repo: stage.github.repo, number });
  const stays = [join(run(DEAD_PARENT), "recording.cast"), reproduction(9)];
  const living = ["20260101T000001Z", "20260101T000002Z"].map((runId) => join(run(runId), "recording.cast"));
  const kept = [...stays, ...[...living, reproduction(99)].map((path) => `${path}.0a1b2c3d.tmp`)];
  for (const path of [...kept, ...stays.map((file) => `${file}.4e5f6a7b.tmp`)]) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "");
  }
  await stage.run();
  const names = await readdir(stage.directory, { recursive: true });
  const files = names.map((name) => join(stage.directory, name));
  expect(files.filter((path) => /\.cast|\d\.json/.test(path)).toSorted()).toEqual(kept.toSorted());
});

test.concurrent("a run whose parent died while the reaper listed Coder workspaces is not settled by that listing, because its Coder workspace may be newer (T5)", async () => {
  await using stage = await openBatchStage();
  const { provider } = stage.ports;
  const list: typeof provider.list = async (...args) => {
    const found = await provider.list(...args);
    lostRun(stage, "widgets-triage-9");
    return found;
  };
  await stage.run({ ports: { provider: { ...provider, list } } });
  expect(stage.store.latestRun(stage.github.repo, 9)).toMatchObject({
    coderWorkspace: { state: "ready", id: "gone" },
    progress: { phase: "triaging" },
  });
  await stage.run();
  expect(stage.store.latestRun(stage.github.repo, 9)).toMatchObject({
    coderWorkspace: { state: "absent" },
    progress: { phase: "settled", end: { reason: "parent-lost" } },
  });
});

test.concurrent("a run is not settled while another provider may still hold its Coder workspace (C9)", async () => {
  await using stage = await openBatchStage();
  lostRun(stage, "widgets-triage-9", "coder");
  await stage.run();
  expect(stage.store.latestRun(stage.github.repo, 9)).toMatchObject({
    runState: { state: "idle" },
    activity: { isTerminated: true },
    coderWorkspace: { state: "ready", id: "gone" },
    progress: { phase: "triaging" },
  });
});
