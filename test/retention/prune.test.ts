import { lutimes, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage, type ProgramStage } from "../support/batch/program-stage.ts";
import { worldPeople } from "../support/github/github-world.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

interface Pruned {
  entries: { path: string; kind: string; reason: string }[];
  kept: { kind: string; reason: string; count: number }[];
  failures: unknown[];
}

/** Sets the times of everything in the home as if nothing had changed it since then. */
async function age(directory: string, days: number): Promise<void> {
  const then = new Date(Date.now() - days * 86_400_000);
  for (const { name, parentPath } of await readdir(directory, { recursive: true, withFileTypes: true }))
    await lutimes(join(parentPath, name), then, then);
}

async function prune(stage: ProgramStage, ...flags: string[]): Promise<Pruned> {
  const { exitCode, stdout, stderr } = await stage.run(["prune", "--json", ...flags]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return JSON.parse(stdout) as Pruned;
}

const kinds = ({ entries }: Pruned): string[] => [...new Set(entries.map(({ kind }) => kind))].toSorted();
const why = ({ kept }: Pruned): string[] => kept.map(({ kind, reason }) => `${kind} ${reason}`).toSorted();

test("an old home keeps the evidence of an open issue, stored reproductions and what can be undone; batches remove the rest", async () => {
  await using stage = await openProgramStage(program);
  await stage.open("honest");
  const ran = await stage.run(["run"]);
  expect(ran.exitCode).toBe(0);
  // All files have just been written, so none is removed, whatever the limits.
  await stage.configure({ ...stage.config, retention: { age: "1s", size: "1KiB" } });
  expect((await prune(stage)).entries).toEqual([]);

  await age(stage.home, 100);
  const planned = await prune(stage, "--dry-run");
  expect(kinds(planned)).toEqual(["batch-file", "github-response", "session"]);
  expect(why(planned)).toEqual(["audit-log undo", "triage-run reproduction"]);
  await stage.configure({ ...stage.config, retention: { age: "off", size: "off" } });
  expect((await prune(stage, "--dry-run")).entries).toEqual([]);

  // The next batch, which triages nothing, removes them and reports it.
  await stage.configure(stage.config);
  const next = await stage.run(["run"]);
  expect(next).toMatchObject({ exitCode: 0 });
  expect(next.stderr).toMatch(/removed \d+ old entries of the home \(.+\); .+ are left/);
  const [, second = ""] = (await readdir(join(stage.home, "runs"))).toSorted();
  expect(await stage.read(`home/runs/${second}/log.jsonl`)).toContain('"event":"pruned"');
  expect(await readdir(join(stage.home, "agent-tty/sessions"))).toEqual([]);

  // The batch's writes can still be undone.
  const [first = ""] = (await readdir(join(stage.home, "runs"))).toSorted();
  const undo = await stage.run(["undo", "--run", first, "--dry-run"]);
  expect(JSON.parse(undo.stdout)).toMatchObject({ issues: [{ number: 1, status: "planned" }] });

  // Without the stored reproduction, the open issue still needs the run; once the issue is closed, nothing needs it.
  await rm(join(stage.home, "reproductions"), { recursive: true });
  await age(stage.home, 100);
  expect(why(await prune(stage, "--dry-run"))).toEqual(["audit-log undo", "triage-run open-issue"]);
  const unknown = await stage.run(["prune", "--dry-run", "--json"], { GITHUB_TOKEN: "" });
  expect(why(JSON.parse(unknown.stdout) as Pruned)).toContain("triage-run issue-not-known-to-be-closed");
  await stage.github.setState({ repo: stage.github.repo, number: 1 }, worldPeople.maintainer, "closed");
  expect(kinds(await prune(stage))).toContain("triage-run");
  expect(await readdir(join(stage.home, "runs", first))).toEqual(["audit.jsonl"]);
});
