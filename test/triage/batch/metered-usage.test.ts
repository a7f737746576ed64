import { expect, test, vi } from "vitest";
import type { ModelMeter } from "../../../src/workspaces/index.ts";
import type { TriageAgent } from "../../../src/triage/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent } from "../../support/batch/in-process-agent.ts";
import { summarySchema } from "../../support/batch/summary-schema.ts";

vi.setConfig({ testTimeout: 180_000 });

const SESSION = "7f3b0c52-0000-4000-8000-000000000001";
const usage = { inputTokens: 100, outputTokens: 20, usd: 0 };

/** As Claude Code in `mode: tui`: tokens and its session, and no cost. */
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
  ["gives mode tui a cost, under the session that the record names", 0, 2.5, 2.5],
  ["is not asked where the Triage Agent tells the cost itself", 1.25, null, 1.25],
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
])("a gateway that %s costs a warning and the figure, not the run (T9)", async (_, read, warning) => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "a bug", labels: ["needs-triage"] });
  const summary = await stage.run({ ports: { triageAgent: tuiAgent(), modelMeter: meterOf(read) } });
  expect(summary.issues).toMatchObject([{ status: "applied", usage }]);
  expect(stage.warnings()).toEqual([expect.stringContaining(warning)]);
});
