import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPublicationTurns, type PublicationTurns, StopRequested } from "../../../src/triage/index.ts";
import { type BatchStage, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, forbiddenAgent } from "../../support/batch/in-process-agent.ts";
import { poll } from "../../support/batch/poll.ts";

const never = new AbortController().signal;

test("three publications of one account run at once across all batches, and those of another account do not wait (F3)", async () => {
  const turns = createPublicationTurns((repo) => repo.split("/")[0] ?? "");
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const publish = (repo: "octo/a" | "octo/b" | "acme/c", signal = never) =>
    turns(
      repo,
      async () => {
        begun.push(repo);
        await new Promise<void>((resolve) => ends.push(resolve));
      },
      signal,
    );
  const all = Promise.all([
    publish("octo/a"),
    publish("octo/b"),
    publish("octo/a"),
    publish("octo/b"),
    publish("acme/c"),
  ]);
  const impatient = new AbortController();
  const givenUp = publish("octo/a", impatient.signal);
  await setImmediate();
  expect(begun).toEqual(["octo/a", "octo/b", "octo/a", "acme/c"]);
  impatient.abort(new Error("it has waited enough"));
  await expect(givenUp).rejects.toThrow("it has waited enough");
  ends[0]?.();
  await poll("the next turn", () => begun.length === 5);
  for (const end of ends) end();
  await all;
  expect(begun).toHaveLength(5);
});

test("a Triage Run writes nothing before its turn, which it shares with all batches of the process (F3)", async () => {
  await using stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "It crashes", labels: ["needs-triage"] });
  let begin: () => void = () => undefined;
  const turn = new Promise<void>((resolve) => (begin = resolve));
  const asked: string[] = [];
  const publishing: PublicationTurns = async (repo, publication) => {
    asked.push(repo);
    await turn;
    return publication();
  };
  const running = stage.run({ ports: { triageAgent: askingAgent(() => undefined), publishing } });
  await poll("the wait for a turn", () => asked.length === 1);
  expect(await stage.github.reader.comments(ref, never)).toEqual([]);
  begin();
  expect((await running).totals).toMatchObject({ applied: 1 });
  expect(await stage.github.reader.comments(ref, never)).toHaveLength(1);
  expect(asked).toEqual([ref.repo]);
}, 60_000);

/** A batch whose only publication gets no turn: `turn` gives it one, after all. */
function withoutTurn(stage: BatchStage) {
  const turns = createPublicationTurns(() => "");
  const ends: (() => void)[] = [];
  const hold = () => turns("octo/a", () => new Promise<void>((resolve) => ends.push(resolve)), never);
  const held = Promise.all([hold(), hold(), hold()]);
  let isAsked = false;
  const publishing: PublicationTurns = (...asked) => {
    isAsked = true;
    return turns(...asked);
  };
  const stop = new AbortController();
  const ports = { triageAgent: askingAgent(), publishing };
  return {
    running: stage.run({ ports, stop: stop.signal }),
    stop: () => stop.abort(new StopRequested("stopped")),
    isWaiting: () => poll("the wait for a turn", () => isAsked),
    turn: async () => {
      for (const end of ends) end();
      await held;
    },
  };
}

test("a Triage Run gives up its Coder workspace when its turn to publish does not come three minutes after its deadline, and the next batch publishes what it had (T9)", async () => {
  await using stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "It crashes", labels: ["needs-triage"] });
  const { running, isWaiting, turn } = withoutTurn(stage);
  await isWaiting();
  const { runDeadlineMs } = stage.settings;
  stage.expire((durationMs) => durationMs > runDeadlineMs && durationMs <= runDeadlineMs + 3 * 60_000);
  const { issues } = await running;
  expect(issues).toMatchObject([
    { status: "failed", reason: "github-unreachable", workspace: { destroyed: true } },
  ]);
  await turn();
  expect(await stage.github.reader.comments(ref, never)).toEqual([]);
  const next = await stage.run({ ports: { triageAgent: forbiddenAgent } });
  expect(next.totals).toMatchObject({ applied: 1 });
}, 60_000);

const REPORT = { body: "It allows remote code execution (CVE-2026-1234)." };

test.each([
  ["an outcome", {}],
  ["a comment that needs no Triage Agent", REPORT],
])(
  "a stop ends the wait for a turn to publish %s, and nothing is written when the turn comes (T5)",
  async (_, report) => {
    await using stage = await openBatchStage();
    const ref = await stage.github.createIssue({ title: "It crashes", labels: ["needs-triage"], ...report });
    const { running, stop, isWaiting, turn } = withoutTurn(stage);
    await isWaiting();
    stop();
    expect((await running).issues).toMatchObject([{ status: "skipped", reason: "stopped" }]);
    await turn();
    expect(await stage.github.reader.comments(ref, never)).toEqual([]);
  },
  60_000,
);

test("a comment that needs no Triage Agent waits for its turn no longer than a Triage Run does (T9, S16)", async () => {
  await using stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "It crashes", labels: ["needs-triage"], ...REPORT });
  const { running, isWaiting, turn } = withoutTurn(stage);
  await isWaiting();
  const patienceMs = stage.settings.runDeadlineMs + 3 * 60_000;
  stage.expire((durationMs) => durationMs === patienceMs);
  const { issues } = await running;
  expect(issues).toMatchObject([{ status: "failed", reason: "github-unreachable", workspace: null }]);
  await turn();
  const next = await stage.run({ ports: { triageAgent: forbiddenAgent } });
  expect(next.totals).toMatchObject({ applied: 1 });
  expect(await stage.github.reader.comments(ref, never)).toHaveLength(1);
}, 60_000);
