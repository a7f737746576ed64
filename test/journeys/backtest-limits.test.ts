import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openProgramHome } from "../../src/home/index.ts";
import { openTrustLedger } from "../../src/trust/index.ts";
import { poll } from "../support/batch/poll.ts";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage, type ProgramStage } from "../support/batch/program-stage.ts";
import { runInProcess } from "../support/cli/run-in-process.ts";
import { decidedFact } from "../trust/decided-fact.ts";

// Each test runs several real batches, and the machine may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

/** Creates closed issues; each has a label that shows what the maintainers did. */
async function close(stage: ProgramStage, ...issues: readonly [title: string, label: string][]) {
  const { github } = stage;
  for (const [title, label] of issues) {
    const ref = await github.createIssue({ title, body: "it throws" });
    await github.label(ref, "maintainer", label);
    await github.setState(ref, "maintainer", "closed");
  }
}

async function record(
  directory: string,
  repo: string,
  numbers: readonly number[],
  change: Parameters<typeof decidedFact>[1],
) {
  using home = await openProgramHome(directory, { clock: systemClock, ids: systemIds(systemClock) });
  const ledger = openTrustLedger(home.store);
  for (const number of numbers) ledger.record(decidedFact(number, { ...change, model: "small" }, { repo }));
}

/**
 * Configures a Triage Agent that appends a line to a file at each start. The shell text `hold` runs before it and can make it
 * wait forever.
 */
async function countStarts(stage: ProgramStage) {
  const starts = join(stage.directory, "starts");
  const [node = "", agent = ""] = stage.config.triageAgent.command;
  const configure = (hold: string): Promise<void> => {
    const script = `echo start >>'${starts}'; ${hold} exec '${node}' '${agent}'`;
    const triageAgent = { kind: "command", command: ["bash", "-c", script] };
    return stage.configure({ ...stage.config, triageAgent });
  };
  const count = async (): Promise<number> =>
    (await readFile(starts, "utf8").catch(() => "")).split("start").length - 1;
  return { configure, count };
}

const ASKED: [string, string] = ["proposing needs-info", "needs-info"];

test("a backtest whose parent is killed resumes without a second Triage Agent for the issue it had decided (E1)", async () => {
  await using stage = await openProgramStage(program);
  await close(stage, ASKED, ASKED);
  const agent = await countStarts(stage);
  await agent.configure(`[ "$(wc -l <'${stage.directory}/starts')" -lt 2 ] || sleep 1000;`);
  const args = ["backtest", "--name", "killed", "--parallelism", "1"];
  const running = stage.start(args);
  await poll("the second Triage Agent", async () => (await agent.count()) === 2);
  running.kill("SIGKILL");
  expect((await running).signal).toBe("SIGKILL");
  const before = stage.github.proxy.requests.length;
  await agent.configure("");
  const { exitCode, stdout } = await stage.start(args);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ sampled: 2, done: 2 });
  expect(await agent.count()).toBe(3);
  const asked = stage.github.proxy.requests.slice(before).map(({ path }) => path);
  expect(asked.filter((path) => /\/issues/.test(path))).toEqual([]);
});

test("a backtest first prints its estimate and its cap, and starts no run once the cap is spent (E1)", async () => {
  await using stage = await openProgramStage(program);
  await close(stage, ASKED, ASKED, ASKED);
  await stage.configure({ ...stage.config, triageAgent: { kind: "claude-code", mode: "print" } });
  const unknown = await stage.run(["backtest", "--name", "unknown", "--dry-run"]);
  expect(unknown).toMatchObject({ exitCode: 0 });
  expect(unknown.stderr).toContain("3 issues; it may cost $3.00, and is stopped at $6.00");
  await record(stage.home, stage.github.repo, [101, 102], { usd: 0.5 });
  const known = await stage.run(["backtest", "--name", "known", "--dry-run"]);
  expect(known.stderr).toContain("3 issues; it may cost $1.50, and is stopped at $3.00");
  expect(JSON.parse(known.stdout)).toMatchObject({ sampled: 3, done: 0 });

  await record(join(stage.home, "backtests", "known"), stage.github.repo, [1], { usd: 2 });
  const spent = await stage.run(["backtest", "--name", "known", "--budget-usd", "2"]);
  expect(spent).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(spent.stdout)).toMatchObject({ sampled: 3, done: 1, cost: { usd: 2 } });
});

test("a backtest of a repository without closed issues is refused (E1)", async () => {
  await using stage = await openProgramStage(program);
  expect(await stage.run(["backtest", "--dry-run"])).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringContaining("BACKTEST_EMPTY"),
  });
});

test("eval reads only the home, and reports about the given repository as text or as one document (E5)", async () => {
  await using stage = await openProgramStage(program);
  const empty = await stage.run(["eval"]);
  expect(empty).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("no outcomes are recorded") });
  await record(stage.home, stage.github.repo, [1, 2], { usd: 0.5 });
  await record(stage.home, "other/one", [1], { usd: 4, kind: "ready-for-agent" });
  const before = stage.github.proxy.requests.length;
  const all = await stage.run(["eval", "--by", "model"]);
  expect(all).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/small +3/) });
  const place = { cwd: stage.directory, env: { PATH: process.env["PATH"] ?? "", HOME: stage.directory } };
  const shown = await runInProcess(["eval", "--by", "kind", "--home", stage.home], {
    ...place,
    terminalColumns: 80,
  });
  expect(shown.stdout).toMatch(/^ready-for-agent +1 /m);
  expect(shown.stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  const one = await stage.run(["eval", "--repo", stage.github.repo]);
  expect(JSON.parse(one.stdout)).toMatchObject({
    repos: [stage.github.repo],
    groups: { all: [{ decided: 2, judged: 0, acceptance: null }] },
  });
  expect(await stage.run(["eval", "--by", "colour"])).toMatchObject({ exitCode: 2, stdout: "" });
  expect(stage.github.proxy.requests).toHaveLength(before);
});
