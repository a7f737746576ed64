import { expect, test, vi } from "vitest";
import { parentIdentity } from "../../../src/workspaces/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent } from "../../support/batch/in-process-agent.ts";
import { connect, startCoderStandIn } from "../../support/coder/index.ts";
import { summarySchema } from "../../support/batch/summary-schema.ts";
import {
  createCanaryDetector,
  createCommandAgent,
  createSessionCleaner,
  parentSecrets,
} from "../../../src/triage/index.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const HOUR_MS = 3_600_000;
const failing = createCommandAgent({ command: ["bash", "-c", "exit 3"], environment: {} });
const inspection = { keepMs: 2 * HOUR_MS, limit: 2 };

async function openStage(issues: number) {
  const standIn = await startCoderStandIn();
  const batch = await openBatchStage();
  for (let issue = 1; issue <= issues; issue += 1)
    await batch.github.createIssue({ title: `bug ${issue}`, labels: ["needs-triage"] });
  return {
    standIn,
    batch,
    ports: { provider: connect(standIn, { keepMs: inspection.keepMs }), triageAgent: failing },
    [Symbol.asyncDispose]: async () => {
      await batch[Symbol.asyncDispose]();
      await standIn[Symbol.asyncDispose]();
    },
  };
}

test.concurrent("Coder workspaces of failed runs are kept up to the limit, listed in the summary, and reaped by a later batch after their inspection (T5)", async () => {
  await using stage = await openStage(3);
  const { batch, standIn, ports } = stage;
  // The parent's process id belongs to no process, as if the parent had been killed right after the batch.
  const parent = (await parentIdentity()).replace(/\/\d+\//, "/4194305/");
  const summary = await batch.run({ ports: { ...ports, parent }, settings: { inspection, parallelism: 1 } });
  summarySchema.parse(JSON.parse(JSON.stringify(summary)));
  expect(summary.issues.map(({ status, workspace }) => [status, workspace?.destroyed])).toEqual([
    ["failed", false],
    ["failed", false],
    ["failed", true],
  ]);
  expect(summary.stranded).toEqual([]);
  expect(summary.kept.map(({ number, name }) => [number, name])).toEqual([
    [1, "widgets-triage-1"],
    [2, "widgets-triage-2"],
  ]);
  expect(Date.parse(summary.kept[0]?.until ?? "")).toBeGreaterThan(Date.now() + HOUR_MS);
  expect(batch.warnings()).toContainEqual(expect.stringContaining("coder.inspectionLimit"));
  expect(standIn.liveNames()).toEqual(["widgets-triage-1", "widgets-triage-2"]);
  expect(batch.store.holdingRuns().map(({ coderWorkspace }) => coderWorkspace.state)).toEqual([
    "kept",
    "kept",
  ]);

  // A later batch does not touch the Coder workspaces that others keep, but counts them, and therefore keeps none of its own.
  standIn.age("widgets-triage-1", 3 * HOUR_MS);
  const onlyIssues = [3];
  const second = await batch.run({
    ports,
    settings: { inspection: { ...inspection, limit: 1 }, onlyIssues },
  });
  expect(batch.events).toContainEqual({
    type: "reaped",
    name: "widgets-triage-1",
    reason: "inspection-over",
  });
  expect(second.kept).toEqual([]);
  expect(standIn.liveNames()).toEqual(["widgets-triage-2"]);
});

test.concurrent("no Coder workspace is kept by default, or after a run that did not fail (T5)", async () => {
  await using stage = await openStage(1);
  const { batch, standIn, ports } = stage;
  expect((await batch.run({ ports })).kept).toEqual([]);
  expect(standIn.liveNames()).toEqual([]);
  const asking = { ...ports, triageAgent: askingAgent() };
  const summary = await batch.run({ ports: asking, settings: { inspection, onlyIssues: [1] } });
  expect(summary.issues).toMatchObject([{ status: "applied" }]);
  expect(summary.kept).toEqual([]);
  expect(standIn.liveNames()).toEqual([]);
});

test.concurrent("the parent itself destroys a kept Coder workspace as soon as its inspection ends, even if the parent's clock is an hour ahead (T5, coder failure 24)", async ({
  expect,
}) => {
  await using stage = await openStage(2);
  const { batch, standIn, ports } = stage;
  batch.advance(HOUR_MS);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  // The second issue is still being triaged when the inspection of the first one's Coder workspace ends.
  const agent: typeof failing = {
    ...failing,
    run: async (context) => {
      if (context.issueNumber === 2) await released;
      return failing.run(context);
    },
  };
  const seen = (type: string): boolean => batch.events.some((event) => event.type === type);
  const work = batch.run({
    ports: { ...ports, triageAgent: agent },
    settings: { inspection: { ...inspection, limit: 1 }, parallelism: 2, runDeadlineMs: 10 * HOUR_MS },
  });
  await expect.poll(() => seen("kept-for-inspection"), { timeout: 120_000 }).toBe(true);
  batch.expire((ms) => ms > 1.9 * HOUR_MS && ms < 2.1 * HOUR_MS);
  await expect.poll(() => seen("reaped"), { timeout: 120_000 }).toBe(true);
  expect(standIn.liveNames()).toEqual(["widgets-triage-2"]);
  release();
  // The limit allows another one again.
  expect((await work).kept.map(({ number }) => number)).toEqual([1, 2]);
  expect(standIn.liveNames()).toEqual(["widgets-triage-2"]);
});

test.concurrent("a run in which a secret of the parent was found is never kept (S8)", async () => {
  await using stage = await openStage(1);
  const { batch, standIn, ports } = stage;
  const secret = "gho_the-secret-of-this-parent-1234567890";
  const canaries = createCanaryDetector(parentSecrets({ GITHUB_TOKEN: secret }));
  const leaking = createCommandAgent({
    command: ["bash", "-c", `printf %s '${secret}' >"$AFK_TRIAGE_OUTCOME_FILE"`],
    environment: {},
  });
  const summary = await batch.run({
    ports: { ...ports, triageAgent: leaking, canaries, cleaner: createSessionCleaner(canaries) },
    settings: { inspection },
  });
  expect(summary.issues).toMatchObject([{ status: "failed", error: { code: "SECRET_LEAKED" } }]);
  expect(summary.kept).toEqual([]);
  expect(standIn.liveNames()).toEqual([]);
});
