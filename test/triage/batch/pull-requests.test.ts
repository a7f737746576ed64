import { expect, test, vi } from "vitest";
import { closedGate, nudgeText } from "../../../src/runs/index.ts";
import { readRuns } from "../../../src/store/index.ts";
import {
  type BatchSummary,
  refreshPullRequests,
  type TriageAgent,
  type TriageAgentContext,
} from "../../../src/triage/index.ts";
import { type BatchStage, nothingLeft, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, waitFor } from "../../support/batch/in-process-agent.ts";
import { startEmulatedGithub } from "../../support/github/emulated-github.ts";
import { poll } from "../../support/batch/poll.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const SOON = { pullRequestIntervalMs: 20 };

/** Runs a batch over one issue, whose Triage Agent works on it until `work` is done. */
async function batch(
  stage: BatchStage,
  work: (context: TriageAgentContext) => Promise<void>,
  settings = SOON,
): Promise<BatchSummary> {
  await stage.github.createIssue({ title: "issue", labels: ["needs-triage"] });
  const triageAgent: TriageAgent = askingAgent((_number, context) => work(context));
  return stage.run({ settings, ports: { triageAgent } });
}

const closing = (stage: BatchStage) => stage.github.openPullRequest({ body: "Closes #1" });
const looks = ({ github }: BatchStage): number =>
  github.calls.filter(({ operation }) => operation === "linkedPullRequests").length;
const severalLooks = (stage: BatchStage): Promise<unknown> => {
  const before = looks(stage);
  return poll("three looks", () => looks(stage) >= before + 3);
};
const stored = ({ store, github }: BatchStage) => store.latestRun(github.repo, 1);

test.concurrent("a merge ends the live run: nothing is applied, its Coder workspace is deleted, and the run is shown as merged (O16, T5)", async () => {
  await using stage = await openBatchStage();
  const { issues } = await batch(stage, async ({ signal }) => {
    const pull = await closing(stage);
    await severalLooks(stage);
    expect(stored(stage)).toMatchObject({
      activity: { isTerminated: false },
      pullRequests: [{ state: "open" }],
    });
    await stage.github.merge(pull);
    await waitFor(signal);
  });
  expect(issues).toMatchObject([
    { status: "skipped", reason: "pull-request-merged", workspace: { destroyed: true }, error: null },
  ]);
  expect(stored(stage)).toMatchObject({
    activity: { isTerminated: true },
    pullRequests: [{ state: "merged" }],
    progress: { end: { status: "skipped", reason: "pull-request-merged" } },
  });
  expect(readRuns(stage.store, 0).map(({ displayStatus }) => displayStatus)).toEqual(["merged"]);
  const writes = stage.github.calls.filter(({ operation }) => /^(publish|add|remove|close)/.test(operation));
  expect(writes).toEqual([]);
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("a merge from before the run began, e.g. for a bug that has come back, does not end the run (O16)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "issue", labels: ["needs-triage"] });
  await stage.github.merge(await closing(stage));
  stage.advance(60_000);
  const triageAgent = askingAgent(async () => void (await severalLooks(stage)));
  const { issues } = await stage.run({ settings: SOON, ports: { triageAgent } });
  expect(issues).toMatchObject([{ status: "applied" }]);
  expect(stored(stage)).toMatchObject({ pullRequests: [], nudges: [] });
});

test.concurrent("failing checks, feedback and a conflict are shown, and the live Triage Agent gets one nudge for each (O5–O9, O15)", async () => {
  await using stage = await openBatchStage();
  const sent: string[] = [];
  const { issues } = await batch(stage, async ({ offerInput }) => {
    offerInput({
      gate: {
        ...closedGate,
        send: async (text) => {
          sent.push(text);
          return { type: "sent" };
        },
      },
      posture: () => Promise.resolve("busy"),
      liveness: () => Promise.resolve("alive"),
    });
    const pull = await closing(stage);
    await severalLooks(stage);
    expect(sent).toEqual([]);
    const status = () => readRuns(stage.store, 0)[0]?.displayStatus;
    await stage.github.review(pull, "maintainer", "approve");
    await stage.github.setConflict(pull, true);
    await poll("the approval", () => status() === "approved");
    await stage.github.review(pull, "maintainer", "request-changes");
    await poll("the objection", () => status() === "changes_requested");
    await stage.github.check(pull, "unit", "failing");
    await poll("the failing check", () => status() === "ci_failed");
    await severalLooks(stage);
  });
  const [number, signature] = [2, ""];
  expect(sent.toSorted()).toEqual(
    (["checks-failing", "merge-conflict", "review-feedback"] as const)
      .map((kind) => nudgeText({ kind, number, signature }))
      .toSorted(),
  );
  expect(stored(stage)?.nudges).toHaveLength(3);
  expect(issues).toMatchObject([{ status: "applied" }]);
  expect(readRuns(stage.store, 0)[0]?.displayStatus).toBe("terminated");
});

test.concurrent("a Triage Agent that takes no input gets no nudge, and the refusal is recorded (O15)", async () => {
  await using stage = await openBatchStage();
  await batch(stage, async () => {
    await stage.github.check(await closing(stage), "unit", "failing");
    await severalLooks(stage);
  });
  expect(stored(stage)).toMatchObject({
    nudges: [{ kind: "checks-failing", number: 2, refusal: "takes-no-input" }],
    progress: { end: { status: "applied" } },
  });
});

test.concurrent("looks that fail store nothing and end nothing, and no look follows the Triage Agent's end (O13)", async () => {
  await using stage = await openBatchStage();
  stage.github.intercept = ({ operation }) => {
    if (operation === "linkedPullRequests") throw new Error("GitHub is away");
  };
  const { issues } = await batch(stage, async () => void (await severalLooks(stage)));
  expect(issues).toMatchObject([{ status: "applied" }]);
  expect(stored(stage)).toMatchObject({ pullRequests: [], nudges: [] });
  const operations = stage.github.calls.map(({ operation }) => operation);
  expect(operations.lastIndexOf("linkedPullRequests")).toBeLessThan(operations.indexOf("publishComment"));
});

test.concurrent("a long run costs one more request, however often it looks; all other answers are 304s (T14, P13)", async () => {
  await using stage = await openBatchStage();
  await using github = await startEmulatedGithub();
  await github.createIssue({ title: "issue", labels: ["needs-triage"] });
  const timelines = () => github.proxy.requests.filter(({ path }) => path.includes("/timeline"));
  const triageAgent = askingAgent(async () => {
    await poll("five looks", () => timelines().length >= 5);
  });
  const { reader, writer } = github;
  const { issues } = await stage.run({ settings: SOON, ports: { reader, writer, triageAgent } });
  expect(issues).toMatchObject([{ status: "applied" }]);
  const [first, ...others] = timelines().map(({ status }) => status);
  expect(first).toBe(200);
  // The last one may be cut off by the Triage Agent's end.
  expect(new Set(others.slice(0, -1))).toEqual(new Set([304]));
});

test.concurrent("a run that ends before the first interval looks at no pull request (T14, P13)", async () => {
  await using stage = await openBatchStage();
  await batch(stage, async () => void (await closing(stage)), { pullRequestIntervalMs: 120_000 });
  expect(looks(stage)).toBe(0);
});

test.concurrent("a refresh stores what followed the triage; a terminated run shows a merge, but nothing before it (O5, O16)", async () => {
  await using stage = await openBatchStage();
  await batch(stage, async () => undefined);
  const { store, github, ports } = stage;
  const refresh = () =>
    refreshPullRequests(
      store.latestRuns({ limit: 10 }),
      { ...ports, journal: store },
      new AbortController().signal,
    );
  const shown = () => readRuns(store, 0).map(({ displayStatus }) => displayStatus);
  expect(await refresh()).toEqual({ looked: 1, unknown: 0, live: 0, left: 0 });
  const pull = await closing(stage);
  await github.check(pull, "unit", "failing");
  await refresh();
  expect(stored(stage)).toMatchObject({ pullRequests: [{ state: "open", checks: "failing" }], nudges: [] });
  expect(shown()).toEqual(["terminated"]);
  const end = store.lastChange();
  await refresh();
  expect(store.lastChange()).toBe(end);
  await github.merge(pull);
  await refresh();
  expect(shown()).toEqual(["merged"]);
  github.remove({ repo: github.repo, number: 1 }, "deleted");
  expect(await refresh()).toMatchObject({ looked: 1, unknown: 1 });
  expect(shown()).toEqual(["merged"]);
});

test.concurrent("a refresh says why it could not look, and leaves live runs to their parents (O13)", async () => {
  await using stage = await openBatchStage();
  await batch(stage, async () => undefined);
  const { store, github, ports } = stage;
  const [settled] = store.latestRuns({ limit: 1 });
  if (settled === undefined) throw new Error("no run was stored");
  const live = { ...settled, number: 9, progress: { ...settled.progress, phase: "triaging" as const } };
  const refresh = () =>
    refreshPullRequests([live, settled], { ...ports, journal: store }, new AbortController().signal);
  expect(await refresh()).toEqual({ looked: 1, unknown: 0, live: 1, left: 0 });
  github.intercept = () => {
    throw new Error("GitHub is away");
  };
  await expect(refresh()).rejects.toThrow("GitHub is away");
});

test.concurrent("a refresh looks at the hundred latest runs, and says how many it left out (P13)", async () => {
  await using stage = await openBatchStage();
  await batch(stage, async () => undefined);
  const { store, ports } = stage;
  const [settled] = store.latestRuns({ limit: 1 });
  if (settled === undefined) throw new Error("no run was stored");
  const many = Array.from({ length: 103 }, (_, index) => ({ ...settled, number: 1 + index }));
  const refreshed = await refreshPullRequests(
    many,
    { ...ports, journal: store },
    new AbortController().signal,
  );
  expect(refreshed).toEqual({ looked: 100, unknown: 99, live: 0, left: 3 });
});
