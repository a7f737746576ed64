import { expect, test, vi } from "vitest";
import { parentIdentity } from "../../../src/workspaces/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent } from "../../support/batch/in-process-agent.ts";
import { connect, startCoderStandIn } from "../../support/coder/index.ts";

// Two batches a test, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000 });

/** Of this machine and boot; no process has a pid beyond the kernel's limit of 2^22. */
async function deadParent(): Promise<string> {
  return (await parentIdentity()).replace(/\/\d+\//, "/4194305/");
}

test("T5: a Coder workspace that its batch could not delete is reaped by the next one, also when only the journal knows its parent", async () => {
  const parameters = ["run_id", "issue_number"].map((name) => ({ name, defaultValue: "" }));
  await using standIn = await startCoderStandIn({ templates: [{ name: "triage", parameters }] });
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "a bug", labels: ["needs-triage"] });
  const ports = { provider: connect(standIn), triageAgent: askingAgent() };
  standIn.faults.failingDeletes = 100;
  const first = await stage.run({ ports: { ...ports, parent: await deadParent() } });
  expect(first.stranded).toMatchObject([{ name: "widgets-triage-1" }]);
  expect(standIn.liveNames()).toEqual(["widgets-triage-1"]);
  standIn.faults.failingDeletes = 0;
  const second = await stage.run({ ports });
  expect(stage.events).toContainEqual({ type: "reaped", name: "widgets-triage-1", reason: "parent-dead" });
  expect(second.stranded).toEqual([]);
  expect(standIn.liveNames()).toEqual([]);
});
