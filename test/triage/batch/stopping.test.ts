import { createVirtualClock } from "agent-tty/testing";
import { expect, test, vi } from "vitest";
import { type BatchSummary, StopRequested } from "../../../src/triage/index.ts";
import {
  type BatchChange,
  type BatchStage,
  nothingLeft,
  openBatchStage,
} from "../../support/batch/batch-stage.ts";
import { poll } from "../../support/batch/poll.ts";
import { askingAgent, forbiddenAgent, waitFor } from "../../support/batch/in-process-agent.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

/**
 * Runs a batch over three issues, one at a time, and compares the lines of its summary. `stopAt` changes the port that triggers
 * the stop.
 */
async function check(
  stopAt: (stage: BatchStage, stop: () => void) => BatchChange,
  expected: readonly string[],
): Promise<void> {
  await using stage = await openBatchStage();
  for (const title of ["one", "two", "three"])
    await stage.github.createIssue({ title, labels: ["needs-triage"] });
  const controller = new AbortController();
  const change = stopAt(stage, () => controller.abort(new StopRequested("stopped")));
  const summary = await stage.run({
    ...change,
    settings: { parallelism: 1, ...change.settings },
    stop: controller.signal,
  });
  expect(lines(summary)).toEqual(expected);
  expect(await stage.left()).toEqual(nothingLeft);
  expect(summary.stranded).toEqual([]);
}

function lines({ issues }: BatchSummary): string[] {
  return issues.map(({ status, reason }) => `${status} ${reason}`);
}

const allStopped = ["skipped stopped", "skipped stopped", "skipped stopped"];

test.concurrent("a stop while a Coder workspace is being created waits for it and deletes it (T5)", async () => {
  await check(
    ({ provider }, stop) => ({
      ports: {
        triageAgent: forbiddenAgent,
        provider: {
          ...provider,
          create: async (request, signal) => {
            const created = await provider.create(request, signal);
            stop();
            return created;
          },
        },
      },
    }),
    allStopped,
  );
});

test.concurrent("a stop before the result of the create is known leaves no Coder workspace (T5)", async () => {
  await check(
    ({ provider }, stop) => ({
      ports: {
        triageAgent: forbiddenAgent,
        provider: {
          ...provider,
          create: (request, signal) => {
            stop();
            return provider.create(request, signal);
          },
        },
      },
    }),
    allStopped,
  );
});

test.concurrent("a stop while the Triage Agent works ends it, and nothing is written (T5)", async () => {
  await check(
    (_stage, stop) => ({
      ports: {
        triageAgent: askingAgent(async (_, { signal }) => {
          stop();
          await waitFor(signal);
        }),
      },
    }),
    allStopped,
  );
});

test.concurrent("a stop also ends the processes of a real Triage Agent that hangs (T5)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "hanging", labels: ["needs-triage"] });
  const controller = new AbortController();
  const running = stage.run({ stop: controller.signal });
  await poll("the Triage Agent's process", async () =>
    (await stage.left()).processes.some((line) => line.includes("by-title.mjs")),
  );
  controller.abort(new StopRequested("stopped"));
  const summary = await running;
  expect(lines(summary)).toEqual(["skipped stopped"]);
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("a stop between two writes lets the publication finish (T7)", async () => {
  await check(
    ({ github }, stop) => {
      github.intercept = ({ operation }, phase) => {
        if (operation === "publishComment" && phase === "after") stop();
      };
      return { ports: { triageAgent: askingAgent() } };
    },
    ["applied needs-triage", "skipped stopped", "skipped stopped"],
  );
});

test.concurrent("a stop while issues are being selected ends in a summary", async () => {
  await check(({ github }, stop) => {
    github.intercept = ({ operation }) => {
      if (operation === "listOpenIssues") stop();
    };
    return { ports: { triageAgent: forbiddenAgent } };
  }, []);
});

test.concurrent("the batch deadline ends the running Triage Runs, and no more are started (T9)", async () => {
  await using stage = await openBatchStage();
  for (const title of ["one", "two"]) await stage.github.createIssue({ title, labels: ["needs-triage"] });
  const deadlines = createVirtualClock();
  const { clock } = stage.ports;
  const batchDeadlineMs = 3_600_000;
  const summary = await stage.run({
    settings: { parallelism: 1, batchDeadlineMs },
    ports: {
      clock: {
        ...clock,
        schedule: (durationMs, action) =>
          durationMs === batchDeadlineMs
            ? deadlines.schedule(durationMs, action)
            : clock.schedule(durationMs, action),
      },
      triageAgent: askingAgent(async (_, { signal }) => {
        await deadlines.advance(batchDeadlineMs);
        await waitFor(signal);
      }),
    },
  });
  expect(lines(summary)).toEqual(["skipped batch-deadline", "skipped batch-deadline"]);
  expect(stage.events).toContainEqual({ type: "stopping", reason: "the batch deadline has passed" });
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("a batch deadline that passes while GitHub does not answer ends in an empty summary (T9)", async () => {
  await using stage = await openBatchStage();
  const { reader } = stage.ports;
  const summary = await stage.run({
    settings: { batchDeadlineMs: 50 },
    ports: { triageAgent: forbiddenAgent, reader: { ...reader, viewer: waitFor } },
  });
  expect(summary).toMatchObject({ schema: "afk-triage/summary@1", issues: [], stranded: [] });
  expect(stage.ports.store.batch(summary.runId)).toMatchObject({ finished: { summary } });
  expect(await stage.left()).toEqual(nothingLeft);
});
