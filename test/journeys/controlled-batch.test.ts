import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkNothingLeft } from "../support/batch/nothing-left.ts";
import { hangingBatch } from "../support/batch/hanging-batch.ts";
import { buildBriskProgram } from "../support/batch/brisk-program.ts";
import type { BuiltProgram } from "../support/batch/program.ts";
import { openProgramStage, type ProgramStage } from "../support/batch/program-stage.ts";
import { summarySchema } from "../support/batch/summary-schema.ts";
import { watchLines } from "../support/batch/watched-lines.ts";

// Each test runs several real programs, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildBriskProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

/** Runs a command on a run in the test's own process, which is not the parent's. */
async function command(stage: ProgramStage, ...args: string[]) {
  const { exitCode, stdout, stderr } = await stage.run(args);
  return { exitCode, stderr, document: stdout === "" ? null : (JSON.parse(stdout) as unknown) };
}

const ended = (reason: string) => ({
  run: { facts: { progress: { phase: "settled", end: { status: "skipped", reason } } } },
});

test("stop and kill each end one run of a running batch; attach shows it; the other runs continue (C17, O18)", async () => {
  await using stage = await openProgramStage(program);
  const { running } = await hangingBatch(stage, 3);
  const attached = stage.start(["attach", "1"]);
  await watchLines(attached).until(/triaging/);
  expect(await command(stage, "stop", "1")).toMatchObject({ exitCode: 0, document: ended("stopped") });
  expect(await command(stage, "kill", "2")).toMatchObject({ exitCode: 0, document: ended("killed") });
  const { exitCode, stdout, stderr } = await attached;
  expect({ exitCode, document: JSON.parse(stdout) as unknown }).toMatchObject({
    exitCode: 0,
    document: ended("stopped"),
  });
  expect(stderr).toMatch(/its prompt has ended: stop\n/);
  const live = JSON.parse((await stage.run(["status"])).stdout) as { runs: { key: string }[] };
  expect(live.runs.map(({ key }) => key)).toEqual(["octo/widgets#3"]);
  expect(await command(stage, "stop", "3")).toMatchObject({ exitCode: 0 });
  const summary = summarySchema.parse(JSON.parse((await running).stdout));
  expect(summary.issues.map(({ status, reason }) => `${status} ${reason}`)).toEqual([
    "skipped stopped",
    "skipped killed",
    "skipped stopped",
  ]);
  expect((await running).exitCode).toBe(0);
  await checkNothingLeft(stage);
  for (const number of [1, 2, 3]) expect(await stage.comments(number)).toEqual([]);
});

test("watching, sending to and detaching from a run do not change it (C17, H39)", async () => {
  await using stage = await openProgramStage(program);
  const { running } = await hangingBatch(stage, 1);
  const refused = await command(stage, "send", "1", "hello");
  expect(refused).toMatchObject({ exitCode: 1, document: null });
  expect(refused.stderr).toMatch(/SEND_REFUSED.*takes no input/);
  expect(await command(stage, "watch", "1", "--every", "100ms", "--for", "300ms")).toMatchObject({
    exitCode: 0,
    document: { run: { facts: { runState: { state: "running" } } } },
  });
  const attached = stage.start(["attach", "1"]);
  await watchLines(attached).until(/triaging/);
  attached.kill("SIGINT");
  expect((await attached).exitCode).toBe(130);
  const status = JSON.parse((await stage.run(["status"])).stdout) as unknown;
  expect(status).toMatchObject({ runs: [{ facts: { runState: { state: "running" } } }] });
  expect(await command(stage, "stop", "1")).toMatchObject({ exitCode: 0, document: ended("stopped") });
  await running;
  await checkNothingLeft(stage);
});

test("a killed run is restored in a new Coder workspace and Session, and finishes (O19)", async () => {
  await using stage = await openProgramStage(program);
  const { running } = await hangingBatch(stage, 1);
  expect(await command(stage, "restore", "1")).toMatchObject({ exitCode: 1, document: null });
  await command(stage, "kill", "1");
  await running;
  await stage.configure({
    ...stage.config,
    triageAgent: { kind: "command", command: [process.execPath, stage.agent("honest")] },
  });
  const restored = await command(stage, "restore", "1");
  expect(restored).toMatchObject({ exitCode: 0, document: { issues: [{ status: "applied" }] } });
  const shown = await command(stage, "show", "1");
  expect(shown.document).toMatchObject({ run: { facts: { restoredFrom: expect.any(String) as string } } });
  expect(await stage.comments(1)).toHaveLength(1);
  await checkNothingLeft(stage);
});

test("after a SIGKILL of the parent, commands report that it is dead, and the next batch settles the run (C9)", async () => {
  await using stage = await openProgramStage(program);
  const { running } = await hangingBatch(stage, 1);
  running.kill("SIGKILL");
  await running;
  const stopped = await command(stage, "stop", "1");
  expect(stopped).toMatchObject({ exitCode: 1, document: null });
  expect(stopped.stderr).toMatch(/PARENT_GONE.*proven dead.*phase triaging.*widgets-triage-1 \(ready\)/);
  const bounded = { ...stage.config, runDeadline: "2s" };
  await stage.configure(bounded);
  await stage.run(["run"]);
  const { runs } = JSON.parse((await stage.run(["status"])).stdout) as { runs: unknown[] };
  expect(runs).toEqual([]);
  await checkNothingLeft(stage);
});
