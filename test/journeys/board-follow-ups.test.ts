import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { poll } from "../support/batch/poll.ts";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage } from "../support/batch/program-stage.ts";
import { checkNothingLeft } from "../support/batch/nothing-left.ts";
import { watchLines } from "../support/batch/watched-lines.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

interface FollowUp {
  end: { exitCode: number | null } | null;
  lines: string[];
}

test("a person verifies and runs an issue again from the board, and the result is recorded as from a terminal (B10, T8)", async () => {
  await using stage = await openProgramStage(program);
  await stage.open("honest");
  await stage.start(["run"]);
  const serving = stage.start(["serve", "--port", "0", "--allow-control"]);
  const line = await watchLines(serving).until(/^board: http/);
  const token = (await readFile(join(stage.home, "board-token"), "utf8")).trim();
  const ask = async (path: string, method = "GET"): Promise<unknown> => {
    const url = new URL(path, /http\S+/.exec(line)?.[0] ?? "");
    return (await fetch(url, { method, headers: { Authorization: `Bearer ${token}` } })).json();
  };
  const runs = async (): Promise<{ id: string; runId: string }[]> =>
    ((await ask("/api/runs")) as { runs: { id: string; runId: string }[] }).runs;
  const [first] = await runs();
  const path = `/api/runs/${encodeURIComponent(first?.id ?? "")}`;
  const ended = (): Promise<FollowUp> =>
    poll("the end of the newest follow-up", async () => {
      const { followUps } = (await ask(`${path}/follow-ups`)) as { followUps: FollowUp[] };
      return followUps[0]?.end === null ? undefined : followUps[0];
    });

  expect(await ask(`${path}/verify`, "POST")).toEqual({ type: "started" });
  expect(await ended()).toMatchObject({
    end: { exitCode: 0 },
    lines: expect.arrayContaining([expect.stringContaining("#1  still-broken (2/2)  honest")]) as string[],
  });
  const verified = (await ask(path)) as { checks: { verdict: string }[] };
  expect(verified.checks.map(({ verdict }) => verdict)).toEqual(["still-broken", "still-broken"]);

  expect(await stage.start(["undo", "--run", first?.runId ?? ""])).toMatchObject({ exitCode: 0 });
  expect(await ask(`${path}/rerun`, "POST")).toEqual({ type: "started" });
  expect(await ended()).toMatchObject({ end: { exitCode: 0 } });
  expect(await runs()).toHaveLength(2);
  expect(await stage.labels(1)).toEqual(["bug", "ready-for-agent"]);

  serving.kill("SIGTERM");
  expect((await serving).exitCode).toBe(143);
  await checkNothingLeft(stage);
});
