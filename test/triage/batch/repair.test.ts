import { expect, test } from "vitest";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, forbiddenAgent } from "../../support/batch/in-process-agent.ts";

test("a publication cut off after its comment is finished without a Triage Agent, within 8 requests (T7, P13)", async () => {
  await using stage = await openBatchStage();
  const { github } = stage;
  const ref = await github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  github.intercept = ({ operation }, phase) => {
    if (operation === "addLabels" && phase === "before") throw new Error("cut off");
  };
  const first = await stage.run({ ports: { triageAgent: askingAgent() } });
  expect(first.issues).toMatchObject([{ status: "failed" }]);
  github.intercept = () => undefined;
  const before = github.calls.length;
  const second = await stage.run({ ports: { triageAgent: forbiddenAgent } });
  expect(second.issues).toMatchObject([
    { status: "applied", reason: "repair", outcome: "needs-info", policy: ["repaired"] },
  ]);
  const calls = github.calls.slice(before).filter((call) => call.ref?.number === ref.number);
  expect(calls.map(({ operation }) => operation)).toEqual([
    "comments",
    "labelEvents",
    "addLabels",
    "removeLabel",
    "issue",
  ]);
});
