import { expect, test, vi } from "vitest";
import { noBudget } from "../../../src/triage/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent } from "../../support/batch/in-process-agent.ts";

vi.setConfig({ testTimeout: 120_000 });

test("a batch that has spent exactly its budget starts no further Triage Run (T9)", async () => {
  await using stage = await openBatchStage();
  for (const title of ["one", "two"]) await stage.github.createIssue({ title, labels: ["needs-triage"] });
  const agent = askingAgent();
  const usage = { inputTokens: 10, outputTokens: 0, usd: 1 };
  const triageAgent = {
    ...agent,
    run: async (...args: Parameters<typeof agent.run>) => ({ ...(await agent.run(...args)), usage }),
  };
  const summary = await stage.run({
    ports: { triageAgent },
    settings: { parallelism: 1, budget: { ...noBudget, batchUsd: 1 } },
  });
  expect(summary.issues.map(({ reason }) => reason)).toContain("batch-budget-spent");
  expect(summary.totals).toMatchObject({ applied: 1, skipped: 1 });
});

test("a repair costs nothing of what one author may have (S14)", async () => {
  await using stage = await openBatchStage();
  const first = await stage.github.createIssue({ title: "one", labels: ["needs-triage"] });
  stage.github.intercept = ({ operation }, phase) => {
    if (operation === "addLabels" && phase === "before") throw new Error("the connection broke");
  };
  await stage.run({ ports: { triageAgent: askingAgent() } });
  stage.github.intercept = () => undefined;
  const second = await stage.github.createIssue({ title: "two", labels: ["needs-triage"] });
  const summary = await stage.run({
    ports: { triageAgent: askingAgent() },
    settings: { budget: { ...noBudget, runsPerAuthor: 1 } },
  });
  expect(summary.issues.map(({ number, status, reason }) => [number, status, reason])).toEqual([
    [first.number, "applied", "repair"],
    [second.number, "applied", "needs-triage"],
  ]);
});
