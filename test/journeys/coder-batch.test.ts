import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkNothingLeft } from "../support/batch/nothing-left.ts";
import { buildBriskProgram } from "../support/batch/brisk-program.ts";
import type { BuiltProgram, RunningProgram } from "../support/batch/program.ts";
import { openProgramStage, type ProgramStage } from "../support/batch/program-stage.ts";
import { summarySchema } from "../support/batch/summary-schema.ts";
import { watchLines } from "../support/batch/watched-lines.ts";
import {
  type CoderStandIn,
  type CoderStandInOptions,
  LEASE_PARAMETERS,
  startCoderStandIn,
} from "../support/coder/index.ts";

// Each test runs several real batches, and the machine may be busy.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 120_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildBriskProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

interface Deployed extends AsyncDisposable {
  stage: ProgramStage;
  standIn: CoderStandIn;
  start: (env?: Record<string, string>) => RunningProgram;
}

async function deploy(...titles: string[]): Promise<Deployed> {
  return deployWith({}, ...titles);
}

async function deployWith(options: CoderStandInOptions, ...titles: string[]): Promise<Deployed> {
  const standIn = await startCoderStandIn(options);
  const stage = await openProgramStage(program);
  await stage.open(...titles);
  const coder = {
    CODER_URL: standIn.url,
    CODER_SESSION_TOKEN: standIn.token,
    AFK_TRIAGE_CODER_BIN: standIn.binary,
  };
  return {
    stage,
    standIn,
    start: (env = {}) => stage.start(["run", "--provider", "coder"], { ...coder, ...env }),
    [Symbol.asyncDispose]: async () => {
      await stage[Symbol.asyncDispose]();
      await standIn[Symbol.asyncDispose]();
    },
  };
}

async function checkCoderLeft({ stage, standIn }: Deployed): Promise<void> {
  expect(standIn.liveNames()).toEqual([]);
  await checkNothingLeft(stage);
}

test("a whole batch on Coder triages each issue in its own Coder workspace, verifies in a second one, publishes and deletes them all; no secret reaches coder (V1, S8)", async () => {
  await using deployed = await deploy("honest", "crashing");
  const { stage, standIn, start } = deployed;
  const { stdout, exitCode } = await start({ AFK_CANARY: "canary-7d1e" });
  const summary = summarySchema.parse(JSON.parse(stdout));
  expect(summary.issues).toMatchObject([
    {
      status: "applied",
      outcome: "ready-for-agent",
      policy: ["reproduction-verified"],
      evidence: { place: "fresh" },
    },
    { status: "failed", reason: "triage-agent-failed" },
  ]);
  expect(exitCode).toBe(3);
  expect(await stage.labels(1)).toEqual(["bug", "ready-for-agent"]);
  expect(await stage.comments(1)).toHaveLength(1);
  const creates = standIn.requests.filter(({ line }) => /^POST .*\/workspaces$/.test(line));
  expect(creates.map(({ body }) => (body as { name: string }).name).toSorted()).toEqual([
    "widgets-triage-1",
    "widgets-triage-1-v",
    "widgets-triage-2",
  ]);
  expect(JSON.stringify(standIn.invocations())).not.toMatch(
    new RegExp(`canary-7d1e|${stage.github.token}|a marker key of this test`),
  );
  await checkCoderLeft(deployed);
});

test("SIGINT deletes the Coder workspaces that are being built and those in use (T5)", async () => {
  await using deployed = await deploy("hanging");
  for (const phase of ["creating", "triaging"]) {
    const running = deployed.start();
    await watchLines(running).until(new RegExp(`^octo/widgets#1 ${phase}`));
    running.kill("SIGINT");
    const { exitCode, stdout } = await running;
    expect({ phase, exitCode }).toEqual({ phase, exitCode: 130 });
    expect(summarySchema.parse(JSON.parse(stdout)).issues).toMatchObject([
      { status: "skipped", reason: "stopped" },
    ]);
    await checkCoderLeft(deployed);
  }
});

const named = (...names: string[]) => names.map((name) => ({ name, defaultValue: "" }));

test.each([
  ["every lease parameter, the lease", LEASE_PARAMETERS],
  ["only run_id and issue_number, this home's journal", named("run_id", "issue_number")],
  ["no lease parameters at all, this home's journal", []],
])(
  "when a parent was killed and the template has %s proves it dead, and the next batch reaps and triages (T5)",
  async (_, parameters) => {
    await using deployed = await deployWith(
      { templates: [{ name: "triage", parameters }] },
      "proposing needs-info",
    );
    const { stage, standIn, start } = deployed;
    const running = start();
    await watchLines(running).until(/^octo\/widgets#1 triaging/);
    running.kill("SIGKILL");
    await running;
    expect(standIn.liveNames()).toEqual(["widgets-triage-1"]);
    const { stderr, exitCode } = await start();
    expect(exitCode).toBe(0);
    expect(stderr).toContain("reaped the leaked Coder workspace widgets-triage-1: parent-dead");
    expect(await stage.comments(1)).toHaveLength(1);
    await checkCoderLeft(deployed);
  },
);
