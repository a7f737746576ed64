import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { poll } from "../support/batch/poll.ts";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage, type ProgramStage } from "../support/batch/program-stage.ts";
import { checkNothingLeft } from "../support/batch/nothing-left.ts";
import { watchLines } from "../support/batch/watched-lines.ts";

vi.setConfig({ testTimeout: 400_000, hookTimeout: 120_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

interface FollowUp {
  end: { exitCode: number | null } | null;
  lines: string[];
}

test("a person verifies and runs an issue again from the board, and the result is recorded as if started from a terminal (B10, T8)", async () => {
  await using stage = await openProgramStage(program);
  await stage.open("honest");
  await stage.run(["run"]);
  const { serving, ask } = await serve(stage);
  const runs = async (): Promise<{ id: string; runId: string }[]> =>
    ((await ask("/api/runs")) as { runs: { id: string; runId: string }[] }).runs;
  const [first] = await runs();
  const path = `/api/runs/${encodeURIComponent(first?.id ?? "")}`;
  const ended = (): Promise<FollowUp> => endOfNewest(ask, path);
  expect(await ask(`${path}/verify`, "POST")).toEqual({ type: "started" });
  expect(await ended()).toMatchObject({
    end: { exitCode: 0 },
    lines: expect.arrayContaining([expect.stringContaining("#1  still-broken (2/2)  honest")]) as string[],
  });
  const verified = (await ask(path)) as { checks: { verdict: string }[] };
  expect(verified.checks.map(({ verdict }) => verdict)).toEqual(["still-broken", "still-broken"]);

  expect(await stage.run(["undo", "--run", first?.runId ?? ""])).toMatchObject({ exitCode: 0 });
  expect(await ask(`${path}/rerun`, "POST")).toEqual({ type: "started" });
  expect(await ended()).toMatchObject({ end: { exitCode: 0 } });
  expect(await runs()).toHaveLength(2);
  expect(await stage.labels(1)).toEqual(["bug", "ready-for-agent"]);

  serving.kill("SIGTERM");
  expect((await serving).exitCode).toBe(143);

  // The follow-up runs the command with the board's own environment, so a missing variable is reported as in that terminal.
  const without = await serve(stage, { GITHUB_TOKEN: "" });
  expect(await without.ask(`${path}/rerun`, "POST")).toEqual({ type: "started" });
  const refused = await endOfNewest(without.ask, path);
  // The exit code of a failed preflight.
  expect(refused.end?.exitCode).toBe(4);
  expect(refused.lines.join("\n")).toContain("GITHUB_TOKEN");
  without.serving.kill("SIGTERM");
  await without.serving;
  await checkNothingLeft(stage);
});

type Ask = (path: string, method?: string) => Promise<unknown>;

/** Starts the board, and returns a function that calls its API as a signed-in reader. */
async function serve(
  stage: ProgramStage,
  environment: Record<string, string> = {},
): Promise<{ serving: ReturnType<ProgramStage["start"]>; ask: Ask }> {
  const serving = stage.start(["serve", "--port", "0", "--allow-control"], environment);
  const line = await watchLines(serving).until(/^board: http/);
  const token = (await readFile(join(stage.home, "board-token"), "utf8")).trim();
  const ask: Ask = async (path, method = "GET") => {
    const url = new URL(path, /http\S+/.exec(line)?.[0] ?? "");
    return (await fetch(url, { method, headers: { Authorization: `Bearer ${token}` } })).json();
  };
  return { serving, ask };
}

function endOfNewest(ask: Ask, path: string): Promise<FollowUp> {
  return poll("the end of the newest follow-up", async () => {
    const { followUps } = (await ask(`${path}/follow-ups`)) as { followUps: FollowUp[] };
    return followUps[0] === undefined || followUps[0].end === null ? undefined : followUps[0];
  });
}
