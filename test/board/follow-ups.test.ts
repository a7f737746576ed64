import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { boardRunId } from "../../src/board/index.ts";
import { FollowUps } from "../../src/board/source/index.ts";
import type { TriageRunEvent } from "../../src/runs/index.ts";
import { BATCH, type HomeStage, homeStage } from "./home-stage.ts";

const SETTLED: TriageRunEvent[] = [
  { type: "run-settled", end: { status: "skipped", reason: "test" }, atMs: systemClock.nowMs() },
];

interface Started {
  args: readonly string[];
  say: (line: string) => void;
  end: (exitCode: number | null) => void;
  isAskedToStop: boolean;
}

/** Starts a board whose follow-ups are fake programs, which end when the test ends them or the board stops them. */
async function followUpStage(): Promise<HomeStage & { started: Started[] }> {
  const started: Started[] = [];
  const followUps = new FollowUps({
    clock: systemClock,
    start: (args, say) => {
      const one: Started = { args, say, end: () => undefined, isAskedToStop: false };
      const ended = new Promise<number | null>((resolve) => {
        one.end = resolve;
      });
      started.push(one);
      const stop = (): void => {
        one.isAskedToStop = true;
        one.end(143);
      };
      return { ended, stop };
    },
  });
  return { ...(await homeStage({ allowsControl: true }, {}, followUps)), started };
}

const followUpsOf = async (stage: HomeStage, run: string): Promise<unknown> =>
  (await stage.get(`${run}/follow-ups`)).json();

test("`verify` and `rerun` start the program's own commands with the issue, repository, home and provider of the run (B10)", async () => {
  await using stage = await followUpStage();
  const run = stage.record(7, SETTLED);
  expect(await (await stage.post(`${run}/verify`)).json()).toEqual({ type: "started" });
  const place = ["--repo", "o/r", "--home", stage.directory, "--provider", "local"];
  expect(stage.started[0]?.args).toEqual(["verify", "7", ...place]);
  stage.started[0]?.say("#7  fixed (0/2)");
  expect(await followUpsOf(stage, run)).toMatchObject({
    schema: "afk-triage/board-follow-ups@1",
    followUps: [{ command: "verify", end: null, lines: ["#7  fixed (0/2)"] }],
  });
  stage.started[0]?.end(0);
  await expect.poll(() => followUpsOf(stage, run)).toMatchObject({ followUps: [{ end: { exitCode: 0 } }] });
  expect(await (await stage.post(`${run}/rerun`)).json()).toEqual({ type: "started" });
  expect(stage.started[1]?.args).toEqual(["run", "--issue", "7", ...place]);
  expect(await followUpsOf(stage, run)).toMatchObject({
    followUps: [{ command: "run", end: null }, { command: "verify" }],
  });
});

test("a second command for an issue is refused while the first one runs, and a command for another issue starts (B10)", async () => {
  await using stage = await followUpStage();
  const run = stage.record(7, SETTLED);
  const other = stage.record(8, SETTLED);
  await stage.post(`${run}/verify`);
  expect(await (await stage.post(`${run}/rerun`)).json()).toMatchObject({
    type: "refused",
    reason: "A command for o/r#7 is still running.",
  });
  expect(await (await stage.post(`${other}/rerun`)).json()).toEqual({ type: "started" });
  expect(stage.started).toHaveLength(2);
});

test("a board starts at most four commands at a time (S11, B10)", async () => {
  await using stage = await followUpStage();
  const answers: unknown[] = [];
  for (const number of [1, 2, 3, 4, 5])
    answers.push(await (await stage.post(`${stage.record(number, SETTLED)}/verify`)).json());
  expect(answers.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => ({ type: "started" })));
  expect(answers[4]).toMatchObject({ type: "refused", remedy: "Wait until one of them has ended." });
});

test("a command is started neither from a run in progress nor by a board that starts no commands (B10)", async () => {
  await using stage = await followUpStage();
  expect(await (await stage.post(`${stage.record(7, [])}/rerun`)).json()).toMatchObject({
    type: "refused",
    reason: "This Triage Run is still running.",
  });
  expect(stage.started).toEqual([]);
  await using fleet = await homeStage({ allowsControl: true });
  expect(await (await fleet.post(`${fleet.record(7, SETTLED)}/verify`)).json()).toMatchObject({
    type: "refused",
    remedy: expect.stringContaining("`afk-triage verify 7 --repo o/r`") as string,
  });
});

test("only the last lines of a command are kept, and an unknown run has no follow-ups (S11, B7)", async () => {
  await using stage = await followUpStage();
  const run = stage.record(7, SETTLED);
  await stage.post(`${run}/verify`);
  for (let line = 1; line <= 100; line += 1) stage.started[0]?.say(`${line} ${"x".repeat(10_000)}`);
  const { followUps } = (await followUpsOf(stage, run)) as { followUps: { lines: string[] }[] };
  const lines = followUps[0]?.lines ?? [];
  expect(lines).toHaveLength(40);
  expect([lines[0]?.slice(0, 4), lines.at(-1)?.length]).toEqual(["61 x", 500]);
  const unknown = encodeURIComponent(boardRunId({ runId: BATCH, repo: "o/r", number: 99 }));
  expect((await stage.get(`/api/runs/${unknown}/follow-ups`)).status).toBe(404);
  expect((await stage.post(`/api/runs/${unknown}/verify`)).status).toBe(404);
});

test("a closing board asks its commands to stop and waits for them (B10)", async () => {
  const stage = await followUpStage();
  await stage.post(`${stage.record(7, SETTLED)}/rerun`);
  await stage[Symbol.asyncDispose]();
  expect(stage.started.map(({ isAskedToStop }) => isAskedToStop)).toEqual([true]);
});
