import { expect, test, vi } from "vitest";
import type { ModelMeter } from "../../../src/workspaces/index.ts";
import {
  noUsage,
  StopRequested,
  type ToldUsage,
  type TriageAgent,
  type TriageAgentEnd,
} from "../../../src/triage/index.ts";
import { type BatchStage, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, waitFor } from "../../support/batch/in-process-agent.ts";
import { summarySchema } from "../../support/batch/summary-schema.ts";

vi.setConfig({ testTimeout: 180_000 });

const SESSION = "7f3b0c52-0000-4000-8000-000000000001";
const usage = { inputTokens: 100, outputTokens: 20, usd: 0 };

/** A Triage Agent that, like Claude Code in `mode: tui`, reports tokens and its session but, by default, no cost. */
function tuiAgent(usd = 0): TriageAgent {
  const asking = askingAgent();
  return {
    ...asking,
    run: async (context) => ({
      ...(await asking.run(context)),
      usage: { ...usage, usd },
      modelSessions: [SESSION],
    }),
  };
}

const meterOf = (read: ModelMeter["read"]): ModelMeter => ({ read });
const never = meterOf(() => Promise.reject(new Error("nobody was to ask")));

test.concurrent.each([
  ["reports the cost in mode tui, for the session that the summary names", 0, 2.5, 2.5],
  ["is not asked if the Triage Agent itself reports the cost", 1.25, null, 1.25],
])("the model's gateway %s (T9)", async (_, told, metered, expected) => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "a bug", labels: ["needs-triage"] });
  const modelMeter =
    metered === null
      ? never
      : meterOf(async ({ sessions }) => {
          expect(sessions).toEqual([SESSION]);
          return { inputTokens: 1, outputTokens: 1, usd: metered, deniedRequests: 0 };
        });
  const summary = await stage.run({ ports: { triageAgent: tuiAgent(told), modelMeter } });
  summarySchema.parse(JSON.parse(JSON.stringify(summary)));
  expect(summary.issues).toMatchObject([
    { status: "applied", modelSessions: [SESSION], usage: { ...usage, usd: expected } },
  ]);
  expect(stage.warnings()).toEqual([]);
});

test.concurrent("dollars that the gateway counted stop the admission at the batch's budget (T9)", async () => {
  await using stage = await openBatchStage();
  for (const title of ["one", "two"]) await stage.github.createIssue({ title, labels: ["needs-triage"] });
  const modelMeter = meterOf(async () => ({ inputTokens: 1, outputTokens: 1, usd: 3, deniedRequests: 0 }));
  const budget = { ...stage.settings.budget, batchUsd: 2 };
  const summary = await stage.run({
    ports: { triageAgent: tuiAgent(), modelMeter },
    settings: { budget, parallelism: 1 },
  });
  expect(summary.issues.map(({ status, reason }) => [status, reason])).toEqual([
    ["applied", "needs-triage"],
    ["skipped", "batch-budget-spent"],
  ]);
});

test.concurrent.each([
  ["fails", () => Promise.reject(new Error("HTTP 503")), "was not read back"],
  [
    "has no price",
    () => Promise.resolve({ inputTokens: 1, outputTokens: 1, usd: null, deniedRequests: 0 }),
    "no price",
  ],
])(
  "a gateway that %s causes a warning and a missing cost, but does not fail the run (T9)",
  async (_, read, warning) => {
    await using stage = await openBatchStage();
    await stage.github.createIssue({ title: "a bug", labels: ["needs-triage"] });
    const summary = await stage.run({ ports: { triageAgent: tuiAgent(), modelMeter: meterOf(read) } });
    expect(summary.issues).toMatchObject([{ status: "applied", usage }]);
    expect(stage.warnings()).toEqual([expect.stringContaining(warning)]);
  },
);

/** One that is at work when its batch is stopped, and what it then tells of its usage. */
function stoppedAgent(stop: () => void, read: () => Promise<ToldUsage>, tellsCost: boolean): TriageAgent {
  return askingAgent(async (_, { offerUsage, signal }) => {
    offerUsage(read, { tellsCost });
    stop();
    await waitFor(signal);
  });
}

async function runStopped(
  stage: BatchStage,
  read: (stage: BatchStage) => Promise<ToldUsage>,
  ports: { modelMeter?: ModelMeter } = {},
  tellsCost = true,
) {
  await stage.github.createIssue({ title: "a bug", labels: ["needs-triage"] });
  const controller = new AbortController();
  const stop = (): void => controller.abort(new StopRequested("stopped"));
  const triageAgent = stoppedAgent(stop, () => read(stage), tellsCost);
  const budget = { ...stage.settings.budget, runUsd: 2 };
  return stage.run({
    ports: { triageAgent, ...ports },
    settings: { budget },
    stop: controller.signal,
  });
}

test.concurrent("the usage of a Triage Agent until it is stopped is kept (T9, F5)", async () => {
  await using stage = await openBatchStage();
  const told = { usage: { ...usage, usd: 0.5 }, modelSessions: [SESSION] };
  const { issues } = await runStopped(stage, async () => told);
  expect(issues).toMatchObject([{ status: "skipped", reason: "stopped", ...told }]);
});

test.concurrent("a stopped Triage Agent whose usage cannot be read delays no deletion by more than two seconds, and counts as the most it may cost (T9, F5)", async () => {
  await using stage = await openBatchStage();
  const { issues } = await runStopped(stage, ({ expire }) => {
    // The wait for the usage begins when this returns.
    queueMicrotask(() => expire((durationMs) => durationMs === 2_000));
    return new Promise(() => undefined);
  });
  expect(issues).toMatchObject([{ reason: "stopped", workspace: { destroyed: true }, usage: { usd: 2 } }]);
});

test.concurrent("a stopped Triage Agent that never tells a cost, such as a TUI, counts as nothing when its usage cannot be read (T9)", async () => {
  await using stage = await openBatchStage();
  const { issues } = await runStopped(stage, () => Promise.reject(new Error("too slow")), {}, false);
  expect(issues).toMatchObject([{ reason: "stopped", usage: noUsage }]);
  expect(stage.warnings()).toEqual([]);
});

test.concurrent("the cost that a stopped Triage Agent did not tell is read from the gateway once its Coder workspace is deleted (T9)", async () => {
  await using stage = await openBatchStage();
  const modelMeter = meterOf(async () => {
    expect((await stage.left()).workspaces).toEqual([]);
    return { inputTokens: 1, outputTokens: 1, usd: 0.75, deniedRequests: 0 };
  });
  const told = { usage, modelSessions: [SESSION], isCostMissing: true };
  const { issues } = await runStopped(stage, async () => told, { modelMeter });
  expect(issues).toMatchObject([{ reason: "stopped", usage: { ...usage, usd: 0.75 } }]);
  expect(stage.warnings()).toEqual([]);
});

test.concurrent("a stopped run waits no longer than five seconds for a gateway that is away (T9, F5)", async () => {
  await using stage = await openBatchStage();
  const modelMeter = meterOf((_, signal) => {
    queueMicrotask(() => stage.expire((durationMs) => durationMs === 5_000));
    return waitFor(signal);
  });
  const told = { usage, modelSessions: [SESSION], isCostMissing: true };
  const { issues } = await runStopped(stage, async () => told, { modelMeter });
  expect(issues).toMatchObject([{ reason: "stopped", usage: { ...usage, usd: 2 } }]);
});

test.concurrent("a cost that was not told counts as the most it may be when the gateway has no price for the model, beside the cost that was told (T9)", async () => {
  await using stage = await openBatchStage();
  const modelMeter = meterOf(async () => ({ inputTokens: 1, outputTokens: 1, usd: null, deniedRequests: 0 }));
  const told = { usage: { ...usage, usd: 0.5 }, modelSessions: [SESSION], isCostMissing: true };
  const { issues } = await runStopped(stage, async () => told, { modelMeter });
  expect(issues).toMatchObject([{ reason: "stopped", usage: { ...usage, usd: 2.5 } }]);
});

test.concurrent("the usage of a Triage Agent is kept when its Coder workspace vanishes for good (T9)", async () => {
  await using stage = await openBatchStage();
  const { provider } = stage;
  await stage.github.createIssue({ title: "a bug", labels: ["needs-triage"] });
  const lost = { isLoss: () => true, connectTimeoutMs: 20_000, mayRepeat: () => Promise.resolve(false) };
  const { issues } = await stage.run({
    ports: {
      triageAgent: endingWith({ type: "interrupted", exit: { type: "code", code: 255 }, usage }),
      provider: {
        ...provider,
        create: async (...asked) => {
          const created = await provider.create(...asked);
          if (created.type !== "created") return created;
          const ready = async (...on: Parameters<typeof created.workspace.ready>) => ({
            ...(await created.workspace.ready(...on)),
            connection: lost,
          });
          return { ...created, workspace: { ...created.workspace, ready } };
        },
      },
    },
  });
  expect(issues).toMatchObject([{ status: "failed", reason: "workspace-lost", usage }]);
});

function endingWith(end: TriageAgentEnd): TriageAgent {
  return { ...askingAgent(), run: () => Promise.resolve(end) };
}

test.concurrent.each([
  [{ runUsd: 2, batchUsd: 2 }, 2, ["applied", "skipped"], "counts as budget.runUsd, $2"],
  [{ runUsd: null, batchUsd: 2 }, 0, ["applied", "applied"], "counts as 0, since budget.runUsd is not set"],
])(
  "a Triage Agent that is ended before it tells its cost counts as the most that one may cost: %o (T9)",
  async (limits, usd, statuses, warning) => {
    await using stage = await openBatchStage();
    for (const title of ["one", "two"]) await stage.github.createIssue({ title, labels: ["needs-triage"] });
    const timedOut = { type: "timed-out", visibleText: "", usage, isCostMissing: true } as const;
    const { issues } = await stage.run({
      ports: { triageAgent: endingWith(timedOut) },
      settings: { parallelism: 1, budget: { ...stage.settings.budget, ...limits } },
    });
    expect(issues.map(({ status }) => status)).toEqual(statuses);
    expect(issues[0]?.usage).toEqual({ ...usage, usd });
    expect(stage.warnings()[0]).toContain(warning);
  },
);

test.concurrent("a stopped Triage Agent that tells no usage, such as a command, counts as nothing (T9)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "a bug", labels: ["needs-triage"] });
  const controller = new AbortController();
  const triageAgent = askingAgent(async (_, { signal }) => {
    controller.abort(new StopRequested("stopped"));
    await waitFor(signal);
  });
  const { issues } = await stage.run({ ports: { triageAgent }, stop: controller.signal });
  expect(issues).toMatchObject([{ reason: "stopped", usage: noUsage }]);
  expect(stage.warnings()).toEqual([]);
});
