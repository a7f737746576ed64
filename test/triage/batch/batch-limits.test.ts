import { expect, test, vi } from "vitest";
import { noBudget } from "../../../src/triage/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, waitFor } from "../../support/batch/in-process-agent.ts";

vi.setConfig({ testTimeout: 120_000 });

test.each([
  ["money", { batchUsd: 1 }],
  ["tokens", { batchTokens: 10 }],
])("a batch that has spent exactly its budget of %s starts no further Triage Run (T9)", async (_, budget) => {
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
    settings: { parallelism: 1, budget: { ...noBudget, ...budget } },
  });
  expect(summary.issues.map(({ reason }) => reason)).toContain("batch-budget-spent");
  expect(summary.totals).toMatchObject({ applied: 1, skipped: 1 });
});

test.each([
  ["before", 0, ["repair", "needs-triage"]],
  ["after", 1, ["needs-triage", "repair"]],
])(
  "a repair %s a Triage Run does not count towards an author's maximum of runs (S14)",
  async (_, broken, reasons) => {
    await using stage = await openBatchStage();
    const issues = [
      await stage.github.createIssue({ title: "one", labels: ["needs-triage"] }),
      await stage.github.createIssue({ title: "two", labels: ["needs-triage"] }),
    ];
    stage.github.intercept = ({ operation }, phase) => {
      if (operation === "addLabels" && phase === "before") throw new Error("the connection broke");
    };
    const onlyIssues = [issues[broken]?.number ?? 0];
    await stage.run({ ports: { triageAgent: askingAgent() }, settings: { onlyIssues } });
    stage.github.intercept = () => undefined;
    const summary = await stage.run({
      ports: { triageAgent: askingAgent() },
      settings: { budget: { ...noBudget, runsPerAuthor: 1 } },
    });
    expect(summary.issues.map(({ number, status, reason }) => [number, status, reason])).toEqual(
      issues.map(({ number }, index) => [number, "applied", reasons[index]]),
    );
  },
);

test("an issue that exceeds its run deadline fails with a message that names the duration in readable units", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "one", labels: ["needs-triage"] });
  const { expire, settings } = stage;
  const summary = await stage.run({
    ports: {
      triageAgent: askingAgent((_, { signal }) => {
        expire((durationMs) => durationMs === settings.runDeadlineMs);
        return waitFor(signal);
      }),
    },
  });
  const message = "the Triage Run of octo/widgets#1 did not finish within 2m";
  expect(summary.issues).toMatchObject([
    { reason: "run-deadline", error: { code: "RUN_DEADLINE", message } },
  ]);
});
