import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage } from "../support/batch/program-stage.ts";

// Several starts of the program, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

test("O4–O9 P13: list --refresh shows what became of a triaged issue, for five requests, and for 304s when nothing changed", async () => {
  await using stage = await openProgramStage(program);
  const { github } = stage;
  await stage.open("proposing enhancement");
  await stage.start(["run"]);
  const pull = await github.openPullRequest({ body: "Closes #1" });
  await github.check(pull, "unit", "failing");
  const refresh = async (): Promise<{ line: string; statuses: (number | null)[] }> => {
    const before = github.proxy.requests.length;
    const { exitCode, stderr } = await stage.start(["list", "--refresh"]);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    return { line: stderr, statuses: github.proxy.requests.slice(before).map(({ status }) => status) };
  };
  const first = await refresh();
  expect(first.line).toContain("octo/widgets#1  terminated  applied (needs-triage)");
  expect(first.line).toContain("PR #2 ci_failed");
  expect(first.statuses).toEqual([200, 200, 200, 200, 200]);
  expect((await refresh()).statuses).toEqual([304, 304, 304, 304, 304]);
  await github.check(pull, "unit", "passing");
  await github.merge(pull);
  const last = await refresh();
  expect(last.line).toContain("octo/widgets#1  merged  applied (needs-triage)");
  expect(last.statuses).toEqual([200]);
  const requests = github.proxy.requests.length;
  const shown = await stage.start(["show", "1"]);
  expect(shown.stderr).toContain("PR #2 merged");
  expect(github.proxy.requests).toHaveLength(requests);
  const withoutToken = await stage.start(["list", "--refresh"], { GITHUB_TOKEN: "" });
  expect(withoutToken).toMatchObject({
    exitCode: 4,
    stdout: "",
    stderr: expect.stringContaining("GITHUB_TOKEN_MISSING"),
  });
});
