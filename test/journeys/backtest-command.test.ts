import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Ended } from "../support/cli/run-in-process.ts";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage } from "../support/batch/program-stage.ts";

// The tests run real batches, and the machine may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

interface Report {
  done: number;
  agreement: { hits: number; of: number };
  items: { number: number; ours: { outcome: string } | null }[];
}

const documentOf = ({ stdout }: Ended): unknown => JSON.parse(stdout);

/** Opens a product whose commit is older than its two closed issues, and an emulated GitHub with these issues. */
async function openPast() {
  const stage = await openProgramStage(program);
  const env = { GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z", GIT_CONFIG_GLOBAL: "/dev/null" };
  const named = ["-c", "user.name=t", "-c", "user.email=t@example.test"];
  await execa("git", [...named, "commit", "-q", "--amend", "--no-edit", "--date", env.GIT_COMMITTER_DATE], {
    cwd: stage.product,
    env,
  });
  const { github } = stage;
  for (const title of ["honest", "proposing needs-info"]) await github.createIssue({ title, labels: [] });
  await github.label({ repo: github.repo, number: 2 }, "maintainer", "needs-info");
  for (const number of [1, 2]) await github.setState({ repo: github.repo, number }, "maintainer", "closed");
  return stage;
}

test("backtest estimates, runs, resumes, and writes nothing to GitHub; eval reads its results (E1, E2, E5)", async () => {
  await using stage = await openPast();
  const planned = await stage.run(["backtest", "--sample", "5", "--dry-run", "--json"]);
  expect(planned).toMatchObject({ exitCode: 0 });
  expect(planned.stderr).toContain("2 issues; it may cost $2.00");
  expect((documentOf(planned) as Report).done).toBe(0);

  const done = await stage.run(["backtest", "--sample", "5", "--json"]);
  expect(done).toMatchObject({ exitCode: 0 });
  const report = documentOf(done) as Report;
  expect(report.done).toBe(2);
  expect(report.items.map(({ number, ours }) => [number, ours?.outcome])).toEqual(
    expect.arrayContaining([
      [1, "worked-on"],
      [2, "asked"],
    ]),
  );
  expect([await stage.comments(1), await stage.comments(2)]).toEqual([[], []]);
  expect([await stage.labels(1), await stage.labels(2)]).toEqual([[], ["needs-info"]]);

  // The resumed backtest must not start a Triage Agent: this one would fail.
  await stage.configure({ ...stage.config, triageAgent: { kind: "command", command: ["false"] } });
  const again = await stage.run(["backtest", "--sample", "5", "--json"]);
  expect(again).toMatchObject({ exitCode: 0 });
  expect((documentOf(again) as Report).items).toEqual(report.items);

  const [folder = ""] = (await execa("ls", [join(stage.home, "backtests")])).stdout.split("\n");
  const evaluated = await stage.run(["eval", "--home", join(stage.home, "backtests", folder), "--json"]);
  expect(evaluated).toMatchObject({ exitCode: 0 });
  expect(documentOf(evaluated)).toMatchObject({ groups: { kind: [{ decided: 1 }, { decided: 1 }] } });
});

test("backtest refuses a different sample under a name already used, and refuses to compare different samples (E1, E6)", async () => {
  await using stage = await openPast();
  const plan = (name: string, seed: string, sample = "2") =>
    stage.run(["backtest", "--name", name, "--seed", seed, "--sample", sample, "--dry-run"]);
  for (const name of ["small", "large"]) expect(await plan(name, "1")).toMatchObject({ exitCode: 0 });
  const { github } = stage;
  await github.createIssue({ title: "closed since", labels: [] });
  await github.setState({ repo: github.repo, number: 3 }, "maintainer", "closed");
  expect(await plan("later", "1", "3")).toMatchObject({ exitCode: 0 });

  const other = await plan("small", "2");
  expect(other.exitCode).not.toBe(0);
  expect(other.stderr).toContain("BACKTEST_DIFFERS");

  const compared = await stage.run(["backtest", "--compare", "small", "large", "--json"]);
  expect(compared).toMatchObject({ exitCode: 0 });
  expect(documentOf(compared)).toMatchObject({ issues: 0, choose: null });

  const different = await stage.run(["backtest", "--compare", "small", "later"]);
  expect(different.exitCode).not.toBe(0);
  expect(different.stderr).toContain("one has 2 issues, the other 3, and 2 of them are the same");
  const unknown = await stage.run(["backtest", "--compare", "small", "nobody"]);
  expect(unknown.stderr).toContain("contains no plan");
  expect((await stage.run(["backtest", "--compare", "small"])).exitCode).toBe(2);
});
