import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkNothingLeft } from "../support/batch/nothing-left.ts";
import { poll } from "../support/batch/poll.ts";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage, type ProgramStage } from "../support/batch/program-stage.ts";
import { summarySchema } from "../support/batch/summary-schema.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

type Running = ReturnType<ProgramStage["start"]>;

/** The title names its Triage Agent. */
interface Work {
  title: string;
  category: string;
}

/** The moments at which the parent dies, all after it has read the outcome. */
const moments: readonly [string, Work, (stage: ProgramStage, running: Running) => Promise<void>][] = [
  [
    "as soon as the checkpoint is stored in the home",
    { title: "honest", category: "bug" },
    async (stage, running) => {
      await poll("a checkpoint", async () => (await checkpoints(stage)).length > 0);
      running.kill("SIGKILL");
    },
  ],
  [
    "when it is about to publish",
    // This outcome needs no verification.
    { title: "proposing enhancement", category: "enhancement" },
    async (stage, running) => {
      const { proxy } = stage.github;
      proxy.onRequest = ({ method }) => {
        if (method === "GET") return null;
        running.kill("SIGKILL");
        return { type: "drop-before" };
      };
      await running;
      proxy.onRequest = () => null;
    },
  ],
];

test.each(moments)(
  "a parent that is killed %s causes no second Triage Agent, and exactly one of the next two parents publishes (T7, T9)",
  async (_, { title, category }, kill) => {
    await using stage = await openProgramStage(program);
    const starts = join(stage.directory, "starts");
    const [node = "", agent = ""] = stage.config.triageAgent.command;
    const command = ["bash", "-c", `echo start >>'${starts}'; exec '${node}' '${agent}'`];
    await stage.configure({ ...stage.config, triageAgent: { kind: "command", command } });
    await stage.open(title);
    const running = stage.start(["run"]);
    await kill(stage, running);
    expect((await running).signal).toBe("SIGKILL");
    expect(await checkpoints(stage)).toEqual(["1.json"]);
    expect(await stage.comments(1)).toEqual([]);

    const both = await Promise.all([stage.start(["run"]), stage.start(["run"])]);
    expect(both.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toMatchObject([
      { exitCode: 0 },
      { exitCode: 0 },
    ]);
    const applied = both.map(({ stdout }) => summarySchema.parse(JSON.parse(stdout)).totals.applied);
    expect(applied.filter((count) => count === 1)).toHaveLength(1);
    expect(await stage.comments(1)).toHaveLength(1);
    expect(await stage.labels(1)).toEqual([category, "ready-for-agent"]);
    expect(await stage.read("starts")).toBe("start\n");
    expect(await checkpoints(stage)).toEqual([]);
    await checkNothingLeft(stage);
  },
);

async function checkpoints({ home }: ProgramStage): Promise<string[]> {
  const entries = await readdir(join(home, "checkpoints"), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries.filter((entry) => entry.isFile() && entry.name.endsWith(".json")).map(({ name }) => name);
}
