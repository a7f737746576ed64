import { expect, test, vi } from "vitest";
import { closedGate, connectToParent, type ParentConnection } from "../../../src/runs/index.ts";
import {
  type BatchSummary,
  noUsage,
  runBatch,
  type TriageAgent,
  type TriageAgentContext,
} from "../../../src/triage/index.ts";
import type { CoderWorkspaceProvider, WorkspaceConnection } from "../../../src/workspaces/index.ts";
import { type BatchStage, nothingLeft, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, forbiddenAgent, waitFor } from "../../support/batch/in-process-agent.ts";
import { poll } from "../../support/batch/poll.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const never = new AbortController().signal;

/**
 * Runs a batch over this many issues, in which the Triage Agent of issue 1 hangs; `act` does what another process does over a
 * connection to the parent.
 */
async function whileHanging(
  stage: BatchStage,
  { issues, parallelism = 3 }: { issues: number; parallelism?: number },
  act: (parent: ParentConnection) => Promise<void>,
): Promise<BatchSummary> {
  for (let index = 0; index < issues; index += 1)
    await stage.github.createIssue({ title: `issue ${index}`, labels: ["needs-triage"] });
  let working = 0;
  const triageAgent = askingAgent(async (number, { signal }) => {
    working += 1;
    if (number === 1) await waitFor(signal);
  });
  const running = stage.run({ settings: { parallelism }, ports: { triageAgent } });
  await poll("the first Triage Agent", () => working > 0);
  await using parent = await connected(stage);
  await act(parent);
  return await running;
}

async function connected(stage: BatchStage): Promise<ParentConnection> {
  const [batch] = stage.store.batches(1);
  const lookup = await connectToParent(
    { home: stage.directory, runId: batch?.runId ?? "" },
    stage.ports.clock,
  );
  if (lookup.type === "gone") throw new Error(lookup.seen);
  return lookup.parent;
}

const lines = ({ issues }: BatchSummary): string[] =>
  issues.map(
    ({ number, status, reason, workspace }) =>
      `${number} ${status} ${reason}${workspace === null ? "" : `, destroyed ${workspace.destroyed}`}`,
  );

test.concurrent("a stop from another process ends only that run, which is skipped as stopped, and its Coder workspace is deleted (C17, T5)", async () => {
  await using stage = await openBatchStage();
  const issue = { repo: stage.github.repo, number: 1 };
  const summary = await whileHanging(stage, { issues: 2 }, async (parent) => {
    expect(await parent.call({ method: "stop", ...issue }, never)).toEqual({ type: "stopping" });
  });
  expect(lines(summary)).toEqual([
    "1 skipped stopped, destroyed true",
    "2 applied needs-triage, destroyed true",
  ]);
  expect(stage.store.latestRun(issue.repo, 1)).toMatchObject({
    progress: { phase: "settled", end: { status: "skipped", reason: "stopped" } },
    runState: { state: "idle" },
    coderWorkspace: { state: "absent" },
  });
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("a kill marks the run terminated before anything is torn down, then it settles as killed (O18)", async () => {
  await using stage = await openBatchStage();
  const issue = { repo: stage.github.repo, number: 1 };
  const order: string[] = [];
  stage.ports.store = {
    ...stage.store,
    saveRun: (facts) => {
      const { activity, coderWorkspace, runState } = facts;
      order.push(`terminated ${activity.isTerminated}, ${runState.state}, ${coderWorkspace.state}`);
      stage.store.saveRun(facts);
    },
  };
  const summary = await whileHanging(stage, { issues: 1 }, async (parent) => {
    order.length = 0;
    expect(await parent.call({ method: "kill", ...issue }, never)).toEqual({ type: "stopping" });
  });
  expect(lines(summary)).toEqual(["1 skipped killed, destroyed true"]);
  // The run may be saved once more, unchanged, before the kill reaches it.
  const since = order.filter((line) => line !== "terminated false, running, ready");
  expect(since.filter((line, index) => line !== since[index - 1])).toEqual([
    "terminated true, running, ready",
    "terminated true, idle, ready",
    "terminated true, idle, deleting",
    "terminated true, idle, absent",
  ]);
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("a run that waits for its turn can be stopped, and nothing is created for it (C3)", async () => {
  await using stage = await openBatchStage();
  const { repo } = stage.github;
  const summary = await whileHanging(stage, { issues: 2, parallelism: 1 }, async (parent) => {
    for (const number of [2, 1]) await parent.call({ method: "stop", repo, number }, never);
  });
  expect(lines(summary)).toEqual(["1 skipped stopped, destroyed true", "2 skipped stopped"]);
});

test.concurrent("a text reaches a Triage Agent that offers an input gate, and is refused for one that takes no input (H39)", async () => {
  await using stage = await openBatchStage();
  const { repo } = stage.github;
  const sent: string[] = [];
  const send = { method: "send", repo, number: 1, text: "look again" } as const;
  await whileHanging(stage, { issues: 1 }, async (parent) => {
    expect(await parent.call(send, never)).toMatchObject({ type: "refused", reason: "takes-no-input" });
    await parent.call({ method: "stop", repo, number: 1 }, never);
  });

  const talking: TriageAgent = {
    ...askingAgent(),
    run: async (context) => {
      context.offerInput({
        gate: {
          ...closedGate,
          send: async (text) => {
            sent.push(text);
            return { type: "sent" };
          },
        },
        posture: async () => "ready",
        liveness: async () => "alive",
      });
      return waitFor(context.signal);
    },
  };
  const running = stage.run({ ports: { triageAgent: talking } });
  await poll("the Triage Agent", () => stage.store.latestRun(repo, 1)?.runState.state === "running");
  await using parent = await connected(stage);
  await poll("the gate", async () => (await parent.call(send, never)).type === "sent");
  expect(sent).toEqual(["look again"]);
  await parent.call({ method: "stop", repo, number: 1 }, never);
  expect(lines(await running)).toEqual(["1 skipped stopped, destroyed true"]);
});

test.concurrent("the activity of a Triage Agent that can signal is what it signals; before the first signal no activity is known (O2, O14)", async () => {
  await using stage = await openBatchStage();
  const { repo } = stage.github;
  await stage.github.createIssue({ title: "one", labels: ["needs-triage"] });
  let tell: TriageAgentContext["signalActivity"] = () => undefined;
  const telling: TriageAgent = {
    ...askingAgent(),
    signalsActivity: true,
    run: (context) => {
      tell = context.signalActivity;
      return waitFor(context.signal);
    },
  };
  const running = stage.run({ ports: { triageAgent: telling } });
  const activity = () => stage.store.latestRun(repo, 1)?.activity;
  await poll("the prompt", () => stage.store.latestRun(repo, 1)?.runState.state === "running");
  expect(activity()).toMatchObject({ state: "idle", isSignalCapable: true, firstSignalAtMs: null });
  for (const state of ["idle", "active", "waiting_input", "active"] as const) {
    tell(state);
    expect(activity()).toMatchObject({ state, firstSignalAtMs: expect.any(Number) as number });
  }
  await using parent = await connected(stage);
  await parent.call({ method: "stop", repo, number: 1 }, never);
  expect(lines(await running)).toEqual(["1 skipped stopped, destroyed true"]);
});

test.concurrent("attach from another process receives all updates until the end, and changes nothing (C17)", async () => {
  await using stage = await openBatchStage();
  const { repo } = stage.github;
  const phases = new Set<string>();
  let outcome: unknown = null;
  let watching: Promise<unknown> = Promise.resolve();
  await whileHanging(stage, { issues: 1 }, async (parent) => {
    watching = parent.observe(
      { method: "observe", repo, number: 1, mode: { type: "live" } },
      ({ view }) => {
        phases.add(view.phase);
        outcome = view.end;
      },
      never,
    );
    await poll("the first update", () => phases.has("triaging"));
    await parent.call({ method: "stop", repo, number: 1 }, never);
    expect(await watching).toEqual({ type: "ended" });
  });
  expect([...phases]).toEqual(["triaging", "destroying", "settled"]);
  expect(outcome).toEqual({ status: "skipped", reason: "stopped" });
});

test.concurrent("an attached client sees the Triage Agent's reports, and the run records the last one (C6, C10)", async () => {
  await using stage = await openBatchStage();
  const { repo } = stage.github;
  await stage.github.createIssue({ title: "one", labels: ["needs-triage"] });
  const triageAgent = askingAgent(async (_, { session, signal }) => {
    await session.run("echo shown to all", { callerTimeoutMs: 10_000, signal });
    await waitFor(signal);
  });
  const running = stage.run({ ports: { triageAgent } });
  await poll("the prompt", () => stage.store.latestRun(repo, 1)?.runState.state === "running");
  await using parent = await connected(stage);
  const texts: string[] = [];
  const watching = parent.observe(
    { method: "observe", repo, number: 1, mode: { type: "live" } },
    (update) => void (update.type === "output" && texts.push(update.text)),
    never,
  );
  await poll("the output", () => texts.some((text) => text.includes("shown to all")));
  expect(stage.store.latestRun(repo, 1)?.runState.lastReportAtMs).not.toBeNull();
  await parent.call({ method: "stop", repo, number: 1 }, never);
  expect(await watching).toEqual({ type: "ended" });
  await running;
});

test.concurrent("a lost connection settles nothing; the prompt stays live while the Triage Agent runs once more (T12, C18)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "one", labels: ["needs-triage"] });
  const states: string[] = [];
  stage.ports.store = {
    ...stage.store,
    saveRun: (facts) => {
      states.push(facts.runState.state);
      stage.store.saveRun(facts);
    },
  };
  let attempts = 0;
  const asking = askingAgent();
  const triageAgent: TriageAgent = {
    ...asking,
    run: async (context) => {
      attempts += 1;
      if (attempts > 1) return asking.run(context);
      return { type: "interrupted", exit: { type: "code", code: 255 }, usage: noUsage };
    },
  };
  const provider = reachedOverConnection(stage.provider);
  const summary = await stage.run({ ports: { triageAgent, provider } });
  expect([attempts, ...lines(summary)]).toEqual([2, "1 applied needs-triage, destroyed true"]);
  expect(states.filter((state, index) => state !== states[index - 1])).toEqual(["idle", "running", "idle"]);
});

test.concurrent("restore relaunches a terminated run in a new Coder workspace and Session, and skips an issue without such a run (O19)", async () => {
  await using stage = await openBatchStage();
  const { repo } = stage.github;
  await whileHanging(stage, { issues: 1 }, async (parent) => {
    await parent.call({ method: "kill", repo, number: 1 }, never);
  });
  const killed = stage.store.latestRun(repo, 1);
  await stage.github.createIssue({ title: "never run", labels: ["needs-triage"] });
  let during: unknown = null;
  const triageAgent = askingAgent(() => {
    during = stage.store.latestRun(repo, 1)?.activity.isTerminated;
  });
  const settings = { ...stage.settings, parallelism: 1 };
  const summary = await runBatch(settings, { ...stage.ports, triageAgent }, never, "restore");
  expect(lines(summary)).toEqual(["1 applied needs-triage, destroyed true", "2 skipped not-restorable"]);
  const restored = stage.store.latestRun(repo, 1);
  expect(during).toBe(false);
  expect(restored).toMatchObject({ restoredFrom: killed?.runId, progress: { end: { status: "applied" } } });
  expect(restored?.sessionId).not.toBe(killed?.sessionId);
  expect(restored?.coderWorkspace.id).not.toBe(killed?.coderWorkspace.id);
});

test.concurrent("a batch that cannot open its control socket continues without it, and warns (O21)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "one", labels: ["needs-triage"] });
  const runsDirectory = "/dev/null/runs";
  const summary = await stage.run({ ports: { triageAgent: forbiddenAgent, runsDirectory } });
  expect(stage.warnings().join("\n")).toMatch(/serve the control socket in \/dev\/null\/control/);
  expect(summary.issues).toHaveLength(1);
});

/** A provider of Coder workspaces whose terminals end with 255 when their connection is lost, and which keep running. */
function reachedOverConnection(provider: CoderWorkspaceProvider): CoderWorkspaceProvider {
  const connection: WorkspaceConnection = {
    connectTimeoutMs: 60_000,
    isLoss: (exit) => exit.type === "code" && exit.code === 255,
    mayRepeat: () => Promise.resolve(true),
  };
  return {
    ...provider,
    create: async (request, signal) => {
      const result = await provider.create(request, signal);
      if (result.type !== "created") return result;
      const { workspace } = result;
      const ready: typeof workspace.ready = async (...given) => ({
        ...(await workspace.ready(...given)),
        connection,
      });
      return { type: "created", workspace: { ...workspace, ready } };
    },
  };
}
