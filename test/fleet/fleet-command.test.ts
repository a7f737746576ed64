import { existsSync } from "node:fs";
import { mkdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { poll } from "../support/batch/poll.ts";
import { watchLines } from "../support/batch/watched-lines.ts";
import { checkNothingLeft } from "../support/batch/nothing-left.ts";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openFleetStage } from "../support/fleet/fleet-stage.ts";
import { postgresPrograms, startPostgres, withoutPostgres } from "../support/fleet/postgres.ts";

vi.setConfig({ testTimeout: 400_000, hookTimeout: 120_000 });

const totalsDocument = z.object({ runs: z.number(), live: z.number(), parentLost: z.number() });
const runsDocument = z.object({ runs: z.array(z.object({ id: z.string(), number: z.number() })) });
const runDocument = z.object({ artifacts: z.array(z.object({ kind: z.string() })) });

/** This issue is decided without a verification, whose many runs would not test the fleet. */
const QUICK = "proposing enhancement";

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

test("a fleet without PostgreSQL triages an issue reported by a webhook, writes one comment and the label, serves metrics and board, and drains on SIGTERM (F1, F2, F7, F8)", async () => {
  await using stage = await openFleetStage(program);
  const token = "board-token-of-a-test-0123456789";
  const ports = ["--webhook-port", "0", "--ops-port", "0", "--board-port", "0"];
  const fleet = stage.startFleet(ports, { AFK_TRIAGE_BOARD_TOKENS: `${token} octo` });
  const started = await fleet.until(/"fleet-started"/);
  await stage.hook(started);
  const { opsPort, boardPort } = JSON.parse(started) as { opsPort: number; boardPort: number };
  expect((await fetch(`http://127.0.0.1:${opsPort}/ready`)).status).toBe(200);
  await stage.open("honest");
  expect(await stage.triaged(1)).toEqual(["bug", "ready-for-agent"]);
  await fleet.until(/"visit-finished".*"applied"/);
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
  expect(metrics).toContain('afk_triage_fleet_visits_total{status="applied"} 1');
  const headers = { authorization: `Bearer ${token}` };
  const board = await (await fetch(`http://127.0.0.1:${boardPort}/api/fleet`, { headers })).json();
  expect(board).toMatchObject({
    repositories: [{ repository: stage.github.repo, runs: 1, isFollowed: true }],
  });
  const { exitCode, stdout } = await fleet.end();
  expect(exitCode).toBe(143);
  const status = JSON.parse(stdout) as { spend: { byRepository: { repository: string; runs: number }[] } };
  expect(status).toMatchObject({ schema: "afk-triage/fleet-status@1", queue: { running: 0 } });
  expect(status.spend.byRepository).toMatchObject([{ repository: stage.github.repo, runs: 1 }]);
  expect(await stage.comments(1)).toHaveLength(1);
  expect(await stage.starts()).toBe("start\n");
  await checkNothingLeft(stage);
});

test("a fleet without webhooks finds the issue with its poll, forged webhooks of another fleet lead to nothing, and old Sessions of a worker home are removed (F1, F7)", async () => {
  await using stage = await openFleetStage(program);
  await stage.open(QUICK);
  const workerHome = join(stage.directory, "worker");
  const old = join(workerHome, "agent-tty/sessions/old");
  await mkdir(old, { recursive: true, mode: 0o700 });
  const then = new Date(Date.now() - 100 * 86_400_000);
  await utimes(old, then, then);
  const fleet = stage.startFleet(["--webhook-port", "0", "--worker-home", workerHome]);
  await stage.hook(await fleet.until(/"fleet-started"/), "a secret of somebody else");
  expect(await stage.triaged(1)).toEqual(["enhancement", "ready-for-agent"]);
  await poll("no old Session", () => Promise.resolve(existsSync(old) ? null : true));
  await stage.open(QUICK);
  expect((await fleet.end()).exitCode).toBe(143);
  expect(await stage.comments(2)).toEqual([]);
  await checkNothingLeft(stage);
});

test("a second process on the home of a fleet without PostgreSQL is refused, and the error explains how several processes work together (F2)", async () => {
  await using stage = await openFleetStage(program);
  const fleet = stage.startFleet();
  await fleet.until(/"fleet-started"/);
  const second = await stage.startFleet().running;
  expect(second.exitCode).toBe(4);
  expect(second.stderr).toContain("FLEET_HOME_TAKEN");
  expect(second.stderr).toContain("AFK_TRIAGE_DATABASE_URL");
  await fleet.end();
});

describe.skipIf(postgresPrograms === null)(`a fleet on PostgreSQL${withoutPostgres}`, () => {
  test("when SIGKILL ends a worker after its Triage Agent has delivered, another worker publishes once without a second Triage Agent (F4)", async () => {
    await using server = await startPostgres();
    await using stage = await openFleetStage(program);
    await stage.open(QUICK);
    const url = { AFK_TRIAGE_DATABASE_URL: server.url };
    const first = stage.startFleet([], url);
    stage.github.proxy.onRequest = ({ method }) => {
      if (method === "GET") return null;
      first.running.kill("SIGKILL");
      return { type: "drop-before" };
    };
    expect((await first.running).signal).toBe("SIGKILL");
    stage.github.proxy.onRequest = () => null;
    const second = stage.startFleet([], url);
    expect(await stage.triaged(1)).toEqual(["enhancement", "ready-for-agent"]);
    await second.until(/"visit-finished".*"applied"/);
    await second.end();
    expect(await stage.comments(1)).toHaveLength(1);
    expect(await stage.starts()).toBe("start\n");
    await checkNothingLeft(stage);
  });

  test("two workers of one database and home share the work, and a run on a laptop at the same time adds no second comment (F2, F4)", async () => {
    await using server = await startPostgres();
    await using stage = await openFleetStage(program);
    await stage.open(QUICK, QUICK, QUICK);
    const url = { AFK_TRIAGE_DATABASE_URL: server.url };
    const workers = [stage.startFleet([], url), stage.startFleet([], url)];
    await Promise.race(workers.map((worker) => worker.until(/"visit-started"/)));
    const laptop = await stage.run(["run"]);
    expect(laptop.stderr).not.toContain("warning");
    for (const number of [1, 2, 3])
      expect(await stage.triaged(number)).toEqual(["enhancement", "ready-for-agent"]);
    const ended = await Promise.all(workers.map((worker) => worker.end()));
    expect(ended.map(({ exitCode }) => exitCode)).toEqual([143, 143]);
    for (const number of [1, 2, 3]) expect(await stage.comments(number)).toHaveLength(1);
    expect(await stage.starts()).toBe("start\n".repeat(3));
    await checkNothingLeft(stage);
  });

  test("serve with the database shows the runs of all workers on one board, including those of a worker killed with SIGKILL (F8)", async () => {
    await using server = await startPostgres();
    await using stage = await openFleetStage(program);
    const url = { AFK_TRIAGE_DATABASE_URL: server.url };
    const workerHome = (name: string): string[] => ["--worker-home", join(stage.directory, name)];
    await stage.open(QUICK);
    const killed = stage.startFleet(workerHome("one"), url);
    await killed.until(/"visit-finished".*"applied"/);
    killed.running.kill("SIGKILL");
    await killed.running;
    const other = stage.startFleet(["--webhook-port", "0", ...workerHome("other")], url);
    await stage.hook(await other.until(/"fleet-started"/));
    await stage.open(QUICK);
    await other.until(/"visit-finished".*"applied"/);
    const serving = stage.start(["serve", "--port", "0"], {
      ...url,
      AFK_TRIAGE_WORKER_HOME: join(stage.directory, "board"),
    });
    const base = /http\S+/.exec(await watchLines(serving).until(/^board: http/))?.[0] ?? "";
    const token = (await stage.read("home/board-token")).trim();
    const get = async (path: string): Promise<unknown> =>
      (await fetch(`${base}api/${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
    await poll("the run of the second worker", async () =>
      JSON.stringify(await get("runs")).includes(`"number":2`),
    );
    // The next process with the killed worker's home sends the records that the killed worker could not send.
    const restarted = stage.startFleet(workerHome("one"), url);
    await poll("both runs", async () => {
      const totals = totalsDocument.parse(await get("totals"));
      return totals.runs === 2 && totals.live === 0 && totals.parentLost === 0;
    });
    const { runs } = runsDocument.parse(await get("runs"));
    expect(runs.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([1, 2]);
    for (const { id } of runs) {
      const { artifacts } = runDocument.parse(await get(`runs/${id}`));
      expect(artifacts.map(({ kind }) => kind)).toContain("recording");
    }
    serving.kill("SIGTERM");
    await Promise.all([serving, other.end(), restarted.end()]);
    await checkNothingLeft(stage);
  });
});
