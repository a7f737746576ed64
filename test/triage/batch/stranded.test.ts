import { expect, test, vi } from "vitest";
import { parentIdentity } from "../../../src/workspaces/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent } from "../../support/batch/in-process-agent.ts";
import { type CoderStandIn, connect, startCoderStandIn } from "../../support/coder/index.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

/** Returns a dead parent of this machine and boot: no process has a pid beyond the kernel's limit of 2^22. */
async function deadParent(): Promise<string> {
  return (await parentIdentity()).replace(/\/\d+\//, "/4194305/");
}

/** The parameters of a template that cannot store the parent, so that only the journal of the home knows it. */
const parameters = ["run_id", "issue_number"].map((name) => ({ name, defaultValue: "" }));

/** Checks that the next batch reaps the Coder workspace that a batch with a dead parent left behind because of `strand`. */
async function checkReaped(strand: (standIn: CoderStandIn) => void): Promise<void> {
  await using standIn = await startCoderStandIn({ templates: [{ name: "triage", parameters }] });
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "a bug", labels: ["needs-triage"] });
  const ports = { provider: connect(standIn), triageAgent: askingAgent() };
  strand(standIn);
  const first = await stage.run({ ports: { ...ports, parent: await deadParent() } });
  expect(first.issues).toMatchObject([{ status: "failed", reason: "workspace-stranded" }]);
  // The summary's list agrees with the errors of its issues.
  expect(first.stranded).toMatchObject([{ name: "widgets-triage-1", error: { code: "WORKSPACE_STRANDED" } }]);
  expect(standIn.liveNames()).toEqual(["widgets-triage-1"]);
  Object.assign(standIn.faults, { failingDeletes: 0, answers: [] });
  // Another process does not know what the first one could not delete.
  const second = await stage.run({ ports: { ...ports, provider: connect(standIn) } });
  expect(stage.events).toContainEqual({ type: "reaped", name: "widgets-triage-1", reason: "parent-dead" });
  expect(second.stranded).toEqual([]);
  expect(standIn.liveNames()).toEqual([]);
}

test.concurrent("a Coder workspace that its batch could not delete is reaped by the next one (T5)", () =>
  checkReaped(({ faults }) => (faults.failingDeletes = 100)));

test.concurrent("the next batch reaps a Coder workspace whose creation had an unknown result (T5)", () =>
  checkReaped(({ faults }) => {
    const answer = { status: 502, html: "<html>Bad Gateway</html>" };
    faults.answers.push(
      { method: "POST", path: /^\/users\/me\/workspaces$/, times: 1, effect: "after", answer },
      { method: "GET", path: /^\/users\/me\/workspace\//, times: 10_000, effect: "before", answer },
    );
  }));

test.concurrent("a process that keeps running, like a fleet worker, reaps in its next batch what it could not delete before (T5)", async () => {
  await using standIn = await startCoderStandIn({ templates: [{ name: "triage", parameters }] });
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "a bug", labels: ["needs-triage"] });
  const ports = { provider: connect(standIn), triageAgent: askingAgent(), parent: await parentIdentity() };
  standIn.faults.failingDeletes = 100;
  const first = await stage.run({ ports });
  expect(first.stranded).toMatchObject([{ name: "widgets-triage-1" }]);
  standIn.faults.failingDeletes = 0;
  const second = await stage.run({ ports });
  expect(stage.events).toContainEqual({ type: "reaped", name: "widgets-triage-1", reason: "stranded" });
  expect(second.stranded).toEqual([]);
  expect(standIn.liveNames()).toEqual([]);
});

test.concurrent("a batch begins after ten minutes even if what dead parents left cannot be deleted, and names it as stranded (T5, T9, coder failure 12)", async () => {
  await using standIn = await startCoderStandIn();
  await using stage = await openBatchStage();
  const { number } = await stage.github.createIssue({ title: "a bug", labels: ["needs-triage"] });
  const afk_parent = await deadParent();
  const leaked = Array.from({ length: 7 }, (_, index) => `widgets-triage-${number + 1 + index}`);
  for (const name of leaked) standIn.seed({ name, parameters: { run_id: "20260102T030405Z", afk_parent } });
  const { deleteMs } = standIn.state.timings;
  standIn.state.timings.deleteMs = Number.POSITIVE_INFINITY;
  let deletions = 0;
  standIn.onCall = (call) => {
    if (call.type !== "api" || call.method !== "POST" || !call.path.endsWith("/builds")) return;
    deletions += 1;
    if (deletions !== 5) return;
    standIn.state.timings.deleteMs = deleteMs;
    stage.expire((durationMs) => durationMs === 10 * 60_000);
  };
  const summary = await stage.run({ ports: { provider: connect(standIn), triageAgent: askingAgent() } });
  expect(summary.stranded.map(({ name }) => name).toSorted()).toEqual(leaked);
  expect(summary.issues).toMatchObject([{ status: "applied" }]);
});
