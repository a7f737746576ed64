import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { storePath } from "../../src/home/index.ts";
import type { TriageRunEvent } from "../../src/runs/index.ts";
import { transition } from "../../src/runs/index.ts";
import { openStore } from "../../src/store/index.ts";
import { parentIdentity } from "../../src/workspaces/index.ts";
import { RUN_ID, runFacts } from "../runs/owner-fixture.ts";
import { runInProcess } from "../support/cli/run-in-process.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const usage = { inputTokens: 0, outputTokens: 0, usd: 0 };
const error = { code: "TRIAGE_AGENT_FAILED", message: "seen", remedy: "do" };

/** Returns the events of a failed run whose Coder workspace is kept until that time. */
function failedRun(name: string, keptUntilMs: number): TriageRunEvent[] {
  return [
    { type: "workspace-requested", name },
    { type: "workspace-created", id: `id of ${name}` },
    { type: "workspace-kept" },
    { type: "result-reported", result: { category: null, commentUrl: null, usage, keptUntilMs } },
    {
      type: "run-settled",
      end: { status: "failed", reason: "triage-agent-failed", outcome: null, error },
      atMs: 5,
    },
  ];
}

test("status lists the Coder workspaces that are kept for inspection, until their time is over", async () => {
  await using directory = await temporaryDirectory();
  const untilMs = systemClock.nowMs() + 3_600_000;
  {
    using store = await openStore({ path: storePath(directory.path), clock: systemClock });
    const kept = [
      { number: 7, name: "widgets-triage-7", untilMs },
      { number: 8, name: "widgets-triage-8", untilMs: systemClock.nowMs() - 1 },
    ];
    const batch = {
      runId: RUN_ID,
      parent: "here/1/1",
      provider: "coder" as const,
      repos: [runFacts().repo],
      startedAtMs: 1,
    };
    store.recordBatch(batch);
    for (const { number, name, untilMs } of kept)
      store.saveRun(failedRun(name, untilMs).reduce(transition, { ...runFacts(), number }));
  }
  const place = { cwd: directory.path, env: { PATH: process.env["PATH"] ?? "", HOME: directory.path } };
  const told = await runInProcess(["status", "--home", directory.path], { ...place, terminalColumns: 120 });
  expect(told.stdout).toContain(
    `kept for inspection until ${new Date(untilMs).toISOString()}: widgets-triage-7 of ${runFacts().repo}#7`,
  );
  expect(told.stdout).not.toContain("widgets-triage-8");
  const json = await runInProcess(["status", "--json", "--home", directory.path], place);
  expect(JSON.parse(json.stdout)).toMatchObject({ kept: [{ name: "widgets-triage-7" }] });
});

test("show names the earlier runs of the issue, so that undo and report can take their run ids", async () => {
  await using directory = await temporaryDirectory();
  const [abandoned, done, latest] = ["20260101T000000Z", "20260102T000000Z", "20260103T000000Z"];
  const { repo } = runFacts();
  {
    using store = await openStore({ path: storePath(directory.path), clock: systemClock });
    // A process with this pid that started at another time: that parent is dead.
    const parent = `${await parentIdentity()}0`;
    for (const runId of [abandoned, done, latest]) {
      store.recordBatch({ runId, parent, provider: "local", repos: [repo], startedAtMs: 1 });
      const facts = { ...runFacts(), runId, number: 7 };
      const end = { status: "applied", outcome: "ready-for-agent", reason: "applied" } as const;
      store.saveRun(runId === abandoned ? facts : transition(facts, { type: "run-settled", end, atMs: 5 }));
    }
  }
  const place = { cwd: directory.path, env: { PATH: process.env["PATH"] ?? "", HOME: directory.path } };
  const told = await runInProcess(["show", "7", "--home", directory.path], { ...place, terminalColumns: 80 });
  const lines = [`${done}  done → ready-for-agent`, `${abandoned}  abandoned → parent is dead`];
  expect(told.stdout).toContain(`earlier runs of the issue:\n  ${lines.join("\n  ")}`);
  const json = await runInProcess(["show", "7", "--json", "--home", directory.path], place);
  expect(JSON.parse(json.stdout)).toMatchObject({
    run: { facts: { runId: latest } },
    earlier: [done, abandoned],
  });
});

test("run refuses --keep-failed with the local provider, and a duration that is too short", async () => {
  await using directory = await temporaryDirectory();
  const place = { cwd: directory.path, env: { PATH: process.env["PATH"] ?? "", HOME: directory.path } };
  const local = ["run", "--repo", "o/r", "--provider", "local", "--keep-failed", "2h"];
  const refused = await runInProcess(local, place);
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining("needs a Coder deployment"),
  ]);
  const short = await runInProcess(["run", "--repo", "o/r", "--keep-failed", "5m"], place);
  expect([short.exitCode, short.stderr]).toEqual([2, expect.stringContaining("from 10m to 24h")]);
});
