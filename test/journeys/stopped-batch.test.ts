import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkNothingLeft } from "../support/batch/nothing-left.ts";
import { hangingBatch } from "../support/batch/hanging-batch.ts";
import { buildBriskProgram } from "../support/batch/brisk-program.ts";
import type { BuiltProgram } from "../support/batch/program.ts";
import { openProgramStage } from "../support/batch/program-stage.ts";
import { summarySchema } from "../support/batch/summary-schema.ts";
import { watchLines } from "../support/batch/watched-lines.ts";

// Each test runs several real batches, and the machine may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildBriskProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

test("one SIGINT stops the runs, deletes every Coder workspace, prints the summary and exits with 130", async () => {
  await using stage = await openProgramStage(program);
  const { running } = await hangingBatch(stage, 2);
  running.kill("SIGINT");
  const { exitCode, stdout } = await running;
  expect(exitCode).toBe(130);
  const summary = summarySchema.parse(JSON.parse(stdout));
  const stopped = { status: "skipped", reason: "stopped", workspace: { destroyed: true } };
  expect(summary.issues).toMatchObject([stopped, stopped]);
  await checkNothingLeft(stage);
  expect(await stage.comments(1)).toEqual([]);
});

test("SIGTERM stops the batch the same way with exit code 143", async () => {
  await using stage = await openProgramStage(program);
  const { running } = await hangingBatch(stage, 1);
  running.kill("SIGTERM");
  expect((await running).exitCode).toBe(143);
  await checkNothingLeft(stage);
});

test("a second SIGINT exits at once and names the Coder workspaces; status reports the parent as dead, and reap deletes and settles (T5, O20)", async () => {
  await using stage = await openProgramStage(program);
  const { running } = await hangingBatch(stage, 1);
  const lines = watchLines(running);
  running.kill("SIGINT");
  await lines.until(/^stopping: /);
  running.kill("SIGINT");
  const { exitCode, stdout, stderr } = await running;
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: "" });
  expect(stderr).toMatch(/second signal: .* may be left: widgets-triage-1\. `afk-triage reap` deletes them/);
  const status = await stage.run(["status"]);
  expect(status.stderr).toContain("parent is dead");
  expect(JSON.parse(status.stdout)).toMatchObject({ runs: [{ parentState: "dead" }] });
  const reaped = JSON.parse((await stage.run(["reap"])).stdout) as unknown;
  expect(reaped).toMatchObject({
    reaped: [{ name: "widgets-triage-1", reason: "parent-dead" }],
    stranded: [],
  });
  expect(JSON.parse((await stage.run(["status"])).stdout)).toMatchObject({ runs: [] });
  await checkNothingLeft(stage);
});

test("after a SIGKILL while the Coder workspace is created, in use or used for verification, the next batch reaps and triages (T5, T7)", async () => {
  await using stage = await openProgramStage(program);
  const phases = [
    ["creating", "proposing enhancement", "enhancement"],
    ["triaging", "proposing enhancement", "enhancement"],
    ["verifying", "honest", "bug"],
  ] as const;
  for (const [index, [phase, title, category]] of phases.entries()) {
    const number = index + 1;
    await stage.open(title);
    const running = stage.start(["run"]);
    await watchLines(running).until(new RegExp(`^octo/widgets#${number} ${phase}`));
    running.kill("SIGKILL");
    expect((await running).signal).toBe("SIGKILL");
    const { exitCode, stderr } = await stage.run(["run"]);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(await stage.labels(number)).toEqual([category, "ready-for-agent"]);
    expect(await stage.comments(number)).toHaveLength(1);
    await checkNothingLeft(stage);
  }
});
