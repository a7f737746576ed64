import { readFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { type BatchChange, type BatchStage, openBatchStage } from "../../support/batch/batch-stage.ts";
import { proposingAgent } from "../../support/batch/in-process-agent.ts";
import { type CoderStandIn, connect, LEASE, never, startCoderStandIn } from "../../support/coder/index.ts";
import type { BatchSummary } from "../../../src/triage/index.ts";
import { parentIdentity } from "../../../src/workspaces/index.ts";
import { outcomeWith, reproduction } from "../facts.ts";

// The tests run real batches, on a machine that may be busy.
vi.setConfig({ testTimeout: 400_000, maxConcurrency: 3 });

const SCRIPT = "#!/bin/sh\nnode -e \"import('./widget.mjs').then(({ first }) => first([]))\"\n";
/** It shows nothing, which one run tells: for tests of the Coder workspaces around a verification. */
const SHOWING_NOTHING = "#!/bin/sh\necho all is well\n";
const LOCK = "widgets-triage-1";
const PLACE = "widgets-triage-1-v";
const transitionsOf = ({ state }: CoderStandIn): Record<string, string[]> =>
  Object.fromEntries(
    state.workspaces.map(({ name, builds }) => [name, builds.map((build) => build.transition)]),
  );

test.concurrent("the Triage Agent's Coder workspace is stopped, and a second one verifies; both are deleted (V1)", async () => {
  await using stage = await openStage();
  const summary = await stage.run();
  expect(lines(summary)).toEqual([expect.stringMatching(/^applied ready-for-agent$/)]);
  expect(transitionsOf(stage.standIn)).toEqual({
    [LOCK]: ["start", "stop", "delete"],
    [PLACE]: ["start", "delete"],
  });
  const [lock, place] = stage.standIn.state.workspaces;
  const stoppedMs = lock?.builds[1]?.completedMs ?? Number.POSITIVE_INFINITY;
  expect(place?.createdMs).toBeGreaterThanOrEqual(stoppedMs);
  expect(lock?.builds[2]?.createdMs).toBeGreaterThanOrEqual(place?.builds[1]?.completedMs ?? Infinity);
  expect(place?.builds[0]?.parameters).toMatchObject({ run_id: summary.runId, issue_number: "1" });
  expect(stage.standIn.liveNames()).toEqual([]);
});

test.concurrent("the number of running Coder workspaces never exceeds TRIAGE_PARALLELISM, verifications included (V1)", async () => {
  await using stage = await openStage(4, SHOWING_NOTHING);
  const summary = await stage.run({ settings: { parallelism: 2 } });
  expect(lines(summary)).toEqual(Array.from({ length: 4 }, () => "applied needs-info"));
  expect(stage.standIn.state.workspaces).toHaveLength(8);
  expect(stage.standIn.state.peakRunning()).toBe(2);
  expect(stage.standIn.liveNames()).toEqual([]);
});

interface Refusal {
  arrange: (standIn: CoderStandIn) => void;
  code: string;
  reason?: string;
}

/** The failures that begin when the second Coder workspace is requested or the first one is to be stopped. */
const refusals: Record<string, Refusal> = {
  "the quota is used up": {
    arrange: (standIn) => onPlace(standIn, () => (standIn.faults.startBuild = "quota")),
    code: "WORKSPACE_QUOTA",
  },
  "its build fails": {
    arrange: (standIn) => onPlace(standIn, () => (standIn.faults.startBuild = "fails")),
    code: "WORKSPACE_BUILD_FAILED",
  },
  "its create is refused": {
    arrange: (standIn) =>
      onPlace(standIn, () =>
        standIn.faults.answers.push({
          method: "POST",
          path: /^\/users\/me\/workspaces$/,
          times: 1,
          effect: "before",
          answer: { status: 400, body: { message: "the template was archived" } },
        }),
      ),
    code: "WORKSPACE_CREATE_FAILED",
  },
  "its name is another run's": {
    arrange: (standIn) => void standIn.seed({ name: PLACE, parameters: { run_id: "20200101T000000Z" } }),
    code: "PLACE_TAKEN",
  },
  "the Triage Agent's Coder workspace cannot be stopped": {
    arrange: (standIn) => (standIn.faults.failingStops = 99),
    code: "WORKSPACE_NOT_STOPPED",
  },
};

test.concurrent.each(Object.entries(refusals))(
  "an issue is requeued with what it has cost, and nothing is published, when %s (V1)",
  async (_, { arrange, code }) => {
    await using stage = await openStage();
    arrange(stage.standIn);
    const others = stage.standIn.liveNames();
    const summary = await stage.run();
    expect(summary.issues[0]).toMatchObject({
      status: "requeued",
      reason: "verification-without-place",
      outcome: null,
      commentUrl: null,
      workspace: { name: LOCK, destroyed: true },
      error: { code, message: expect.stringContaining("in a place that no Triage Agent has used") as string },
    });
    const { artifacts, usage } = summary.issues[0] ?? {};
    expect(JSON.parse(await readFile(artifacts?.outcome ?? "", "utf8"))).toMatchObject({
      outcome: "ready-for-agent",
    });
    expect(usage).toEqual({ inputTokens: 10, outputTokens: 5, usd: 1 });
    const { github } = stage.batch;
    expect(await github.reader.comments({ repo: github.repo, number: 1 }, never)).toEqual([]);
    expect(stage.standIn.liveNames()).toEqual(others);
  },
);

test.concurrent("after the quota is used up, no further Triage Agent is started (V1, T9)", async () => {
  await using stage = await openStage(3);
  onPlace(stage.standIn, () => (stage.standIn.faults.startBuild = "quota"));
  const summary = await stage.run({ settings: { parallelism: 1 } });
  expect(lines(summary)).toEqual([
    "requeued verification-without-place",
    "skipped workspace-quota",
    "skipped workspace-quota",
  ]);
});

test.concurrent("the next batch verifies the outcome from the checkpoint, without a second Triage Agent (V1, T9)", async () => {
  await using stage = await openStage();
  onPlace(stage.standIn, () => (stage.standIn.faults.startBuild = "fails"));
  expect(lines(await stage.run())).toEqual(["requeued verification-without-place"]);
  stage.standIn.faults.startBuild = "succeeds";
  const before = stage.standIn.state.workspaces.length;
  const summary = await stage.run({ settings: { onlyIssues: [1] } });
  expect(lines(summary)).toEqual(["applied ready-for-agent"]);
  // No Triage Agent was in the Coder workspace of its lock, so the verification can take place there.
  const later = stage.standIn.state.workspaces.slice(before);
  expect(later.map(({ name }) => name)).toEqual([LOCK]);
  expect(summary.issues[0]?.evidence?.place).toBe("fresh");
  expect(stage.standIn.liveNames()).toEqual([]);
});

test.concurrent("with reproduction.place: same there is one Coder workspace, and it is not stopped (V1)", async () => {
  await using stage = await openStage();
  const { settings } = stage.batch;
  const summary = await stage.run({
    settings: { reproduction: { ...settings.reproduction, place: "same" } },
  });
  expect(lines(summary)).toEqual([expect.stringMatching(/^applied ready-for-agent$/)]);
  expect(transitionsOf(stage.standIn)).toEqual({ [LOCK]: ["start", "delete"] });
  expect(summary.issues[0]?.evidence).toMatchObject({ runs: "2/2", place: "same" });
});

const PASSING = { startBuild: "fails", buildError: "dial tcp 10.0.0.1:443: i/o timeout" } as const;

test.concurrent("an issue whose second Coder workspace fails twice is requeued, and its Triage Run does not begin again (V1, T9, S13)", async () => {
  await using stage = await openStage();
  onPlace(stage.standIn, () => Object.assign(stage.standIn.faults, PASSING));
  expect(lines(await stage.run())).toEqual(["requeued verification-without-place"]);
  expect(stage.standIn.state.workspaces.map(({ name }) => name)).toEqual([LOCK, PLACE, PLACE]);
});

test.concurrent("a second Coder workspace that never came up is replaced once (V1)", async () => {
  await using stage = await openStage(1, SHOWING_NOTHING);
  onPlace(stage.standIn, () => Object.assign(stage.standIn.faults, PASSING));
  stage.onWarning = () => (stage.standIn.faults.startBuild = "succeeds");
  expect(lines(await stage.run())).toEqual(["applied needs-info"]);
  expect(stage.standIn.state.workspaces.map(({ name }) => name)).toEqual([LOCK, PLACE, PLACE]);
  expect(stage.standIn.liveNames()).toEqual([]);
});

test.concurrent("a stop during the create of the second Coder workspace deletes both (V1, T6)", async () => {
  await using stage = await openStage();
  const stop = new AbortController();
  onPlace(stage.standIn, () => stop.abort());
  expect(lines(await stage.run({ stop: stop.signal }))).toEqual(["skipped stopped"]);
  expect(stage.standIn.liveNames()).toEqual([]);
});

test.concurrent("a second Coder workspace that cannot be deleted is reported as stranded (V1, T5)", async () => {
  await using stage = await openStage(1, SHOWING_NOTHING);
  onPlace(stage.standIn, () => (stage.standIn.faults.failingDeletes = 4));
  const summary = await stage.run();
  expect(lines(summary)).toEqual(["failed needs-info"]);
  expect(summary.stranded.map(({ name }) => name)).toEqual([PLACE]);
  expect(stage.standIn.liveNames()).toEqual([PLACE]);
});

test.concurrent.each(["full", "short"] as const)(
  "the reaper deletes the second Coder workspace of a dead parent; lease: %s (V1, T5, S15)",
  async (kind) => {
    await using stage = await openStage();
    const { standIn } = stage;
    const parameters = {
      run_id: LEASE.runId,
      issue_number: "1",
      repo_url: "https://github.com/octo/widgets.git",
    };
    const ageMs = kind === "short" ? 90 * 24 * 3_600_000 : 0;
    const lease = kind === "short" ? parameters : { ...parameters, afk_parent: await deadParent() };
    for (const name of [LOCK, PLACE]) standIn.seed({ name, parameters: lease, ageMs });
    standIn.seed({ name: "widgets-triage-dev-v", parameters: lease, ageMs });
    await stage.run();
    expect(standIn.liveNames()).toEqual(["widgets-triage-dev-v"]);
  },
);

interface Stage extends AsyncDisposable {
  batch: BatchStage;
  standIn: CoderStandIn;
  onWarning: () => void;
  run(change?: BatchChange): Promise<BatchSummary>;
}

async function openStage(issues = 1, script = SCRIPT): Promise<Stage> {
  const batch = await openBatchStage();
  const standIn = await startCoderStandIn();
  for (let number = 1; number <= issues; number += 1)
    await batch.github.createIssue({ title: `issue ${number}`, labels: ["needs-triage"] });
  const { issue: _, ...ready } = outcomeWith({ reproduction: { ...reproduction, script } });
  const proposing = proposingAgent(ready);
  const usage = { inputTokens: 10, outputTokens: 5, usd: 1 };
  const settings = { reproduction: { ...batch.settings.reproduction, runs: 1 } };
  const stage: Stage = {
    batch,
    standIn,
    onWarning: () => undefined,
    run: (change = {}) =>
      batch.run({
        ...change,
        settings: { ...settings, ...change.settings },
        ports: {
          triageAgent: {
            ...proposing,
            run: async (context) => ({ ...(await proposing.run(context)), usage }),
          },
          provider: connect(standIn),
          observe: (event) => {
            batch.events.push(event);
            if (event.type === "warning") stage.onWarning();
          },
        },
      }),
    [Symbol.asyncDispose]: async () => {
      await standIn[Symbol.asyncDispose]();
      await batch[Symbol.asyncDispose]();
    },
  };
  return stage;
}

/** Calls `act` once, before the deployment answers the create of the first verification's Coder workspace. */
function onPlace(standIn: CoderStandIn, act: () => unknown): void {
  standIn.onCall = (call) => {
    const isCreate = call.type === "api" && call.method === "POST" && call.path === "/users/me/workspaces";
    if (!isCreate || !(call.body as { name: string }).name.endsWith("-v")) return;
    standIn.onCall = () => undefined;
    act();
  };
}

/** Returns a parent of this machine and boot, with a process id that the kernel never assigns. */
async function deadParent(): Promise<string> {
  const [host, , started] = (await parentIdentity()).split("/");
  return [host, "4194999", started].join("/");
}

function lines({ issues }: BatchSummary): string[] {
  return issues.map(({ status, reason, outcome }) => `${status} ${outcome ?? reason}`);
}
