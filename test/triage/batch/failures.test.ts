import { rename, rm, writeFile } from "node:fs/promises";
import { OperationalError } from "agent-tty/kit";
import { expect, test, vi } from "vitest";
import { noUsage, type TriageAgent } from "../../../src/triage/index.ts";
import type { TriageRunFacts } from "../../../src/runs/index.ts";
import { type BatchStage, failingStore, nothingLeft, openBacklog } from "../../support/batch/batch-stage.ts";
import { askingAgent } from "../../support/batch/in-process-agent.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const triageAgent = askingAgent();

test.concurrent("a Coder workspace that cannot be deleted fails its issue, and the summary still names the outcome that was applied (T5)", async () => {
  await using stage = await openBacklog(2);
  const { provider } = stage;
  const isStubborn = (name: string): boolean => name.endsWith("-1");
  const error = new OperationalError({ code: "WORKSPACE_STRANDED", message: "it stays", remedy: "reap" });
  const summary = await stage.run({
    ports: {
      triageAgent,
      provider: {
        ...provider,
        destroy: async (target, signal) =>
          isStubborn(target.name) ? { type: "stranded", error } : provider.destroy(target, signal),
      },
    },
  });
  expect(summary.totals).toMatchObject({ applied: 1, failed: 1 });
  const [first] = summary.issues;
  expect(first).toMatchObject({
    status: "failed",
    reason: "workspace-stranded",
    outcome: "needs-info",
    workspace: { name: "widgets-triage-1", destroyed: false },
    error: { code: "WORKSPACE_STRANDED", message: "it stays (before that the issue was applied)" },
  });
  expect(summary.stranded).toMatchObject([{ name: "widgets-triage-1", id: first?.workspace?.id }]);
  expect((await stage.left()).workspaces).toEqual(["widgets-triage-1"]);
  const [left] = await provider.list("widgets-triage", new AbortController().signal);
  await provider.destroy({ id: left?.id ?? "", name: "widgets-triage-1" }, new AbortController().signal);
});

test.concurrent("a Coder workspace whose destroy rejects counts as stranded, too", async () => {
  await using stage = await openBacklog(1);
  const destroy = (): Promise<never> => Promise.reject(new Error("the network is down"));
  const summary = await stage.run({ ports: { triageAgent, provider: { ...stage.provider, destroy } } });
  expect(summary.stranded).toMatchObject([{ error: { code: "WORKSPACE_STRANDED" } }]);
  const [left] = await stage.provider.list("widgets-triage", new AbortController().signal);
  await stage.provider.destroy(
    { id: left?.id ?? "", name: "widgets-triage-1" },
    new AbortController().signal,
  );
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("a refused create fails its own issue, and the batch continues with the others", async () => {
  await using stage = await openBacklog(3);
  const { provider } = stage;
  const quota = new OperationalError({ code: "WORKSPACE_QUOTA", message: "quota reached", remedy: "wait" });
  const summary = await stage.run({
    ports: {
      triageAgent,
      provider: {
        ...provider,
        create: (request, signal) =>
          request.name.endsWith("-2") ? Promise.reject(quota) : provider.create(request, signal),
      },
    },
  });
  expect(summary.issues.map(({ status, reason }) => `${status} ${reason}`)).toEqual([
    "applied needs-triage",
    "failed workspace-quota",
    "applied needs-triage",
  ]);
  expect(summary.issues[1]).toMatchObject({ workspace: null, error: { remedy: "wait" } });
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("a Coder workspace that never gets ready is deleted (T5)", async () => {
  await using stage = await openBacklog(1);
  const { provider } = stage;
  const error = new OperationalError({ code: "WORKSPACE_BUILD_FAILED", message: "no disk", remedy: "x" });
  const summary = await stage.run({
    ports: {
      triageAgent,
      provider: {
        ...provider,
        create: async (request, signal) => {
          const created = await provider.create(request, signal);
          if (created.type === "locked") return created;
          return { type: "created", workspace: { ...created.workspace, ready: () => Promise.reject(error) } };
        },
      },
    },
  });
  expect(summary.issues[0]).toMatchObject({
    status: "failed",
    reason: "workspace-build-failed",
    workspace: { destroyed: true },
  });
  expect(await stage.left()).toEqual(nothingLeft);
});

/** A provider whose Coder workspaces wait too long for their quota `waits` times before one comes up. */
function withQuotaWaits({ provider }: BatchStage, waits: number) {
  let left = waits;
  const create: typeof provider.create = async (request, signal) => {
    const created = await provider.create(request, signal);
    if (created.type === "locked" || left === 0) return created;
    left -= 1;
    const busy = new OperationalError({
      code: "WORKSPACE_QUOTA_BUSY",
      message: "Failed to commit quota",
      remedy: "lower the parallelism",
      details: { retry: "after-pause" },
    });
    return { type: "created", workspace: { ...created.workspace, ready: () => Promise.reject(busy) } };
  };
  return { ...provider, create };
}

/** A clock that records long pauses and shortens them. */
function impatient({ ports: { clock } }: BatchStage) {
  const pauses: number[] = [];
  const sleep: typeof clock.sleep = (ms, signal) => {
    if (ms >= 1_000) pauses.push(ms);
    return clock.sleep(Math.min(ms, 20), signal);
  };
  return { pauses, clock: { ...clock, sleep } };
}

test.concurrent("a Coder workspace that waited too long for its quota is deleted and requested again, each time after a longer pause with jitter", async () => {
  await using stage = await openBacklog(1);
  const { pauses, clock } = impatient(stage);
  const summary = await stage.run({ ports: { triageAgent, clock, provider: withQuotaWaits(stage, 3) } });
  expect(summary.totals.applied).toBe(1);
  const bounds = [2_000, 4_000, 8_000];
  expect(pauses).toHaveLength(bounds.length);
  for (const [index, pause] of pauses.entries()) {
    expect(pause).toBeGreaterThanOrEqual((bounds[index] ?? 0) * 0.5);
    expect(pause).toBeLessThanOrEqual((bounds[index] ?? 0) * 1.5);
  }
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("an issue whose quota never got its turn is requeued, and the next issue is triaged", async () => {
  await using stage = await openBacklog(2);
  const { clock } = impatient(stage);
  const ports = { triageAgent, clock, provider: withQuotaWaits(stage, 6) };
  const { totals, issues } = await stage.run({ ports, settings: { parallelism: 1 } });
  expect(totals).toMatchObject({ applied: 1, requeued: 1, failed: 0 });
  expect(issues[0]).toMatchObject({ status: "requeued", reason: "workspace-quota-busy" });
  expect(await stage.left()).toEqual(nothingLeft);
});

/** A Triage Agent that ends with this problem and no outcome on the issues for which `isHit` is true. */
const refusedAgent = (problem: string, isHit: (number: number) => boolean): TriageAgent => ({
  ...triageAgent,
  run: (context) =>
    isHit(context.issueNumber)
      ? Promise.resolve({ type: "finished", exitCode: 1, problem, usage: noUsage })
      : triageAgent.run(context),
});
const BUDGET_403 = 'API Error: 403 {"message":"AI budget of this user is spent until 2026-12-01"}';

test.concurrent("two runs in a row with a spent model budget stop the admission, and the issues stay queued (T9)", async () => {
  await using stage = await openBacklog(4);
  const settings = { parallelism: 1 };
  const summary = await stage.run({
    settings,
    ports: { triageAgent: refusedAgent(BUDGET_403, () => true) },
  });
  expect(summary.issues.map(({ status, reason }) => `${status} ${reason}`)).toEqual([
    "requeued model-budget-spent",
    "requeued model-budget-spent",
    "skipped model-budget-spent",
    "skipped model-budget-spent",
  ]);
  expect(summary.issues[0]?.error?.message).toContain("AI budget of this user is spent until 2026-12-01");
  // After the budget is renewed, the issues are triaged at once, because the failures do not count against them.
  expect((await stage.run({ settings, ports: { triageAgent } })).totals.applied).toBe(4);
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("one issue that makes its Triage Agent report a spent budget does not halt the batch (T9)", async () => {
  await using stage = await openBacklog(3);
  const ports = { triageAgent: refusedAgent(BUDGET_403, (number) => number === 1) };
  const { totals } = await stage.run({ settings: { parallelism: 1 }, ports });
  expect(totals).toMatchObject({ applied: 2, requeued: 1 });
});

test.concurrent("a 403 that names no budget fails its issue", async () => {
  await using stage = await openBacklog(1);
  const ports = { triageAgent: refusedAgent("API Error: 403 forbidden", () => true) };
  expect((await stage.run({ ports })).issues[0]).toMatchObject({ reason: "triage-agent-failed" });
});

test.concurrent("a store or an observer that fails does not fail a Triage Run (C7)", async () => {
  await using stage = await openBacklog(2);
  const broken = await stage.run({ ports: { triageAgent, store: failingStore(stage.store) } });
  expect(broken.totals.applied).toBe(2);
  expect(stage.warnings()).toContain("the summary was not stored: the disk is full");
  await stage.github.createIssue({ title: "one more", labels: ["needs-triage"] });
  const observe = (): never => {
    throw new Error("nobody looks");
  };
  expect((await stage.run({ ports: { triageAgent, observe } })).totals.applied).toBe(1);
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("a record that could not be written while another process locked the store is complete after the lock is released (O21, C8)", async () => {
  await using stage = await openBacklog(1);
  const { store, ports, events } = stage;
  let isLocked = false;
  const unlessLocked =
    <Call extends unknown[]>(write: (...call: Call) => void) =>
    (...call: Call): void => {
      if (!isLocked) return write(...call);
      const details = { isLocked };
      throw new OperationalError({ code: "STORE_UNWRITABLE", message: "locked", remedy: "wait", details });
    };
  const summary = await stage.run({
    ports: {
      triageAgent,
      observe: (event) => {
        events.push(event);
        isLocked ||= event.type === "phase" && event.phase === "destroying";
      },
      store: {
        ...store,
        saveRun: unlessLocked((facts: TriageRunFacts) => store.saveRun(facts)),
        finishBatch: unlessLocked((runId: string, done: unknown) => store.finishBatch(runId, done)),
      },
      clock: {
        ...ports.clock,
        sleep: async (_durationMs, signal) => {
          await ports.clock.sleep(1, signal);
          if (events.some(({ type }) => type === "issue-finished")) isLocked = false;
        },
      },
    },
  });
  expect(store.liveRuns()).toEqual([]);
  expect(store.runsOfBatch(summary.runId)).toMatchObject([
    { progress: { phase: "settled", end: { status: "applied" } }, coderWorkspace: { state: "absent" } },
  ]);
  expect(store.batch(summary.runId)?.finished?.summary).toMatchObject({ totals: { applied: 1 } });
});

test.concurrent("an issue whose files cannot be kept fails, and nothing is left behind", async () => {
  await using stage = await openBacklog(1);
  const runsDirectory = `${stage.directory}/records`;
  const editing = askingAgent(async (_, { files }) => {
    await writeFile(`${files.checkout}/left`, "changed");
    await rename(runsDirectory, `${runsDirectory}-gone`).then(() => writeFile(runsDirectory, ""));
  });
  const summary = await stage.run({ ports: { triageAgent: editing, runsDirectory } });
  expect(summary.issues[0]).toMatchObject({ status: "failed", commentUrl: null });
  expect(await stage.left()).toEqual(nothingLeft);
  const sessions = await stage.ports.sessionHome.listManifests();
  expect(sessions).toMatchObject([{ manifest: { status: "destroyed" } }]);
});

test.concurrent("a checkout that cannot be prepared fails the issue with the command and its output", async () => {
  await using stage = await openBacklog(1);
  const setup = ["echo no such package; (exit 3)"];
  const summary = await stage.run({
    settings: { checkout: { url: `${stage.directory}/product`, ref: null, strategy: "clone", setup } },
    ports: { triageAgent },
  });
  expect(summary.issues[0]).toMatchObject({ status: "failed", reason: "checkout-setup-failed" });
  expect(summary.issues[0]?.error?.message).toMatch(/exit code 3.*no such package/s);
  expect(summary.issues[0]?.artifacts.recording).not.toBeNull();
});

test.concurrent("a batch reaps the Coder workspaces of dead parents before it selects issues, and leaves those of living ones alone (T5)", async () => {
  await using stage = await openBacklog(2);
  const signal = new AbortController().signal;
  const [host = "", , start = ""] = stage.ports.parent.split("/");
  const dead = `${host}/${process.pid}/${start.replace(/\d+$/, "1")}`;
  for (const [number, parent] of [
    [1, dead],
    [2, stage.ports.parent],
  ] as const) {
    const lease = { runId: "20260101T000000Z", issueKey: `octo/widgets#${number}`, parent };
    const created = await stage.provider.create({ name: `widgets-triage-${number}`, lease }, signal);
    expect(created.type).toBe("created");
  }
  const summary = await stage.run({ ports: { triageAgent } });
  expect(summary.issues.map(({ status }) => status)).toEqual(["applied", "locked"]);
  expect(stage.events).toContainEqual({
    type: "reaped",
    name: "widgets-triage-1",
    reason: "parent-dead",
  });
  expect((await stage.left()).workspaces).toEqual(["widgets-triage-2"]);
});

test("a disk that fails is reported as the machine's failure, not as a defect or the Triage Agent's failure (T5)", async () => {
  await using stage = await openBacklog(1);
  await rm(stage.ports.sessionHome.directory, { recursive: true });
  const { issues } = await stage.run({ ports: { triageAgent } });
  expect(issues).toMatchObject([
    {
      status: "failed",
      reason: "home-failed",
      error: { code: "HOME_FAILED" },
      workspace: { destroyed: true },
    },
  ]);
  expect(await stage.left()).toEqual(nothingLeft);
});
