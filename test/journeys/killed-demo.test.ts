import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { poll } from "../support/batch/poll.ts";
import { processesNaming } from "../support/batch/processes.ts";
import { type BuiltProgram, buildProgram, type RunningProgram } from "../support/batch/program.ts";
import { watchLines } from "../support/batch/watched-lines.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

// Each test runs several real batches, and the machine may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

/** Further moments with AFK_TEST_RUNS=all; each needs another run of the demo. */
const further =
  process.env["AFK_TEST_RUNS"] === "all" ? [/^GitHub's REST API/, / preparing/, / verifying/] : [];

test("a demo killed at any moment leaves no process and no directory behind after the next start", async () => {
  await using directory = await temporaryDirectory();
  const demoRoot = join(directory.path, "home", "demo");
  const start = (): RunningProgram =>
    program.start(["demo", "--parallelism", "2"], {
      cwd: directory.path,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: directory.path,
        TMPDIR: directory.path,
        AFK_TRIAGE_HOME: join(directory.path, "home"),
        AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "",
      },
    });
  const moments = [/^creating a product/, / triaging/, / applying/, ...further];
  let left: string[] = [];
  for (const moment of [...moments, null]) {
    const running = start();
    const lines = watchLines(running);
    await lines.until(/^creating a product/);
    expect(await readdir(demoRoot)).toHaveLength(1);
    expect((await processesNaming(directory.path)).filter((line) => left.includes(line))).toEqual([]);
    if (moment !== null) await lines.until(moment);
    running.kill(moment === null ? "SIGINT" : "SIGKILL");
    const { exitCode, signal } = await running;
    expect([exitCode, signal]).toEqual(moment === null ? [130, undefined] : [undefined, "SIGKILL"]);
    left = await processesNaming(directory.path);
  }
  await poll("the end of all processes", async () => (await processesNaming(directory.path)).length === 0);
  expect((await readdir(directory.path)).toSorted()).toEqual(["home"]);
});
