import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { engine } from "../agent-tty/engine-fixture.ts";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage } from "../support/batch/program-stage.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

test("on a terminal each Triage Run has a line with display status, phase and elapsed time, and the totals are below (T13)", async () => {
  await using stage = await openProgramStage(program);
  await using terminals = await engine();
  await stage.open("waiting");
  const session = await terminals.create({
    command: [
      "sh",
      "-c",
      `exec "$0" "$@" >${join(stage.directory, "summary.json")}`,
      process.execPath,
      join(program.directory, "afk-triage.js"),
      "run",
    ],
    cwd: join(stage.directory, "person"),
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: join(stage.directory, "person"),
      ...program.codeCache,
      AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "",
      AFK_TRIAGE_HOME: stage.home,
      AFK_TRIAGE_CONFIG: join(stage.directory, "machine.yml"),
      GITHUB_REPOSITORY: stage.github.repo,
      GITHUB_API_URL: stage.github.apiUrl,
      GITHUB_TOKEN: stage.github.token,
      AFK_TRIAGE_MARKER_KEY: "a marker key of this test",
    },
  });
  const line =
    "octo/widgets#1 {2}\\S+ (working|idle) {2}triaging.* {2}\\d+ (ms|s) {2}waiting\\n *0 of 1 issues done";
  const shown = await session.wait({ regex: line }, { callerTimeoutMs: 60_000 });
  expect(shown.type).toBe("matched");
  await session.sendKeys(["Ctrl+C"]);
  expect(await session.exited).toMatchObject({ type: "code", code: 130 });
  // Stdout contained only the document.
  expect(JSON.parse(await stage.read("summary.json"))).toMatchObject({ schema: "afk-triage/summary@1" });
});
