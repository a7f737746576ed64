import { expect, test } from "vitest";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent } from "../../support/batch/in-process-agent.ts";

test("a Triage Run reports the stages of Coder workspace and checkout with their times in milliseconds", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "one", labels: ["needs-triage"] });
  const { checkout } = stage.settings;
  const settings = { checkout: { ...checkout, setup: ["true"] } };
  await stage.run({ settings, ports: { triageAgent: askingAgent() } });
  const ms = expect.any(Number) as number;
  expect(stage.events.filter(({ type }) => type === "workspace-ready")).toMatchObject([
    { name: "widgets-triage-1", origin: "built", stages: { "preparing a private directory": ms } },
  ]);
  expect(stage.events.filter(({ type }) => type === "checkout-ready")).toMatchObject([
    { stages: { clone: ms, setup: ms } },
  ]);
});
