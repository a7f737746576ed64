import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { changeBundle } from "../support/batch/change-bundle.ts";
import { checkNothingLeft } from "../support/batch/nothing-left.ts";
import { poll } from "../support/batch/poll.ts";
import { buildBriskProgram } from "../support/batch/brisk-program.ts";
import type { BuiltProgram } from "../support/batch/program.ts";
import { openProgramStage } from "../support/batch/program-stage.ts";
import { summarySchema } from "../support/batch/summary-schema.ts";

// The tests start the program several times, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildBriskProgram();
  // The default is two minutes, and a config file can set it to ten seconds at least.
  await changeBundle(program, (text) => text.replaceAll(/[\w.]*\bsettings\.pullRequestIntervalMs/g, "200"));
});
afterAll(() => program[Symbol.asyncDispose]());

test("list --refresh shows the current state of a triaged issue with five requests, which are answered by 304s when nothing changed (O4–O9, P13)", async () => {
  await using stage = await openProgramStage(program);
  const { github } = stage;
  await stage.open("proposing enhancement");
  await stage.run(["run"]);
  const pull = await github.openPullRequest({ body: "Closes #1" });
  await github.check(pull, "unit", "failing");
  const refresh = async () => {
    const before = github.proxy.requests.length;
    const { exitCode, stdout, stderr } = await stage.run(["list", "--refresh"]);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    return {
      runs: runsIn(stdout),
      text: stderr,
      statuses: github.proxy.requests.slice(before).map(({ status }) => status),
    };
  };
  const first = await refresh();
  const end = { status: "applied", reason: "needs-triage", outcome: "ready-for-agent" };
  expect(first.runs).toMatchObject([
    { key: "octo/widgets#1", displayStatus: "terminated", facts: { progress: { end } } },
  ]);
  expect(first.text).toMatch(/→ ready-for-agent\n +octo\/widgets#1 · done · .* · PR #2 ci_failed · /);
  expect(first.statuses).toEqual([200, 200, 200, 200, 200]);
  expect((await refresh()).statuses).toEqual([304, 304, 304, 304, 304]);
  await github.check(pull, "unit", "passing");
  await github.merge(pull);
  const last = await refresh();
  expect(last.runs).toMatchObject([
    { key: "octo/widgets#1", displayStatus: "merged", facts: { progress: { end } } },
  ]);
  expect(last.text).toMatch(/→ ready-for-agent\n +octo\/widgets#1 · done · .* · PR #2 merged · /);
  expect(last.statuses).toEqual([200]);
  const requests = github.proxy.requests.length;
  const shown = await stage.run(["show", "1"]);
  expect(shown.stderr).toContain("PR #2 merged");
  expect(github.proxy.requests).toHaveLength(requests);
  const withoutToken = await stage.run(["list", "--refresh"], { GITHUB_TOKEN: "" });
  expect(withoutToken).toMatchObject({
    exitCode: 4,
    stdout: "",
    stderr: expect.stringContaining("GITHUB_TOKEN_MISSING"),
  });
});

test("a pull request that is merged while its issue is triaged ends only that run, and nothing is written (O16, T5)", async () => {
  await using stage = await openProgramStage(program);
  const { github } = stage;
  await stage.open("hanging", "hanging");
  // The program is in an object, because a running program is itself a promise.
  const batch = { running: stage.start(["run"]) };
  await poll("the Triage Agents", async () => {
    const lines = await stage.processes();
    return lines.filter((line) => /^\d+: \S*node \S+by-title\.mjs/.test(line)).length === 2;
  });
  using store = await openStore({ path: join(stage.home, "store.sqlite"), clock: systemClock });
  const run = () => store.latestRun(github.repo, 1);
  const pull = await github.openPullRequest({ body: "Closes #1" });
  await poll("the open pull request", () => run()?.pullRequests[0]?.state === "open");
  expect(run()).toMatchObject({ activity: { isTerminated: false } });
  await github.merge(pull);
  await poll("the end of the run", () => run()?.progress.phase === "settled");
  expect(runsIn((await stage.run(["status"])).stdout)).toMatchObject([
    { key: "octo/widgets#2", displayStatus: "working" },
  ]);
  await stage.run(["stop", "2"]);
  const { exitCode, stdout } = await batch.running;
  const summary = summarySchema.parse(JSON.parse(stdout));
  expect(summary.issues.map(({ number, status, reason }) => `${number} ${status} ${reason}`)).toEqual([
    "1 skipped pull-request-merged",
    "2 skipped stopped",
  ]);
  expect(exitCode).toBe(0);
  const list = await stage.run(["list"]);
  expect(runsIn(list.stdout).find(({ key }) => key === "octo/widgets#1")).toMatchObject({
    displayStatus: "merged",
    facts: { progress: { end: { status: "skipped", reason: "pull-request-merged" } } },
  });
  expect(list.stderr).toMatch(/→ pull-request-merged\n +octo\/widgets#1 · skipped · .* · PR #\d+ merged · /);
  expect(github.proxy.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  await checkNothingLeft(stage);
});

function runsIn(stdout: string): { key: string }[] {
  return (JSON.parse(stdout) as { runs: { key: string }[] }).runs;
}
