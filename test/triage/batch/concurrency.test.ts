import { expect, test, vi } from "vitest";
import {
  type BatchPorts,
  type BatchSummary,
  type BudgetSettings,
  noBudget,
} from "../../../src/triage/index.ts";
import type { Lease } from "../../../src/workspaces/index.ts";
import {
  type BatchStage,
  nothingLeft,
  openBacklog,
  openBatchStage,
} from "../../support/batch/batch-stage.ts";
import { askingAgent, forbiddenAgent } from "../../support/batch/in-process-agent.ts";
import { poll } from "../../support/batch/poll.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const never = new AbortController().signal;
const MINUTE_MS = 60_000;

async function commentCounts({ github }: BatchStage, issues: number): Promise<number[]> {
  const numbers = Array.from({ length: issues }, (_, index) => index + 1);
  return Promise.all(
    numbers.map(
      async (number) => (await github.reader.comments({ repo: github.repo, number }, never)).length,
    ),
  );
}

const line = ({ issues }: BatchSummary, index = 0): string =>
  `${issues[index]?.status} ${issues[index]?.reason}`;

/** Creates a gate. Every caller of `pass` waits until it is opened; `reached` resolves when the first one waits. */
function gate(): { pass: () => Promise<void>; reached: Promise<void>; open: () => void } {
  let reach = (): void => undefined;
  let open = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    pass: async () => {
      reach();
      await opened;
    },
    reached,
    open,
  };
}

test.concurrent("a batch does as many Triage Runs at a time as the parallelism allows, and never more (A27)", async () => {
  for (const [parallelism, issues] of [
    [1, 2],
    [3, 5],
  ] as const) {
    await using stage = await openBacklog(issues);
    let running = 0;
    let most = 0;
    const full = gate();
    const triageAgent = askingAgent(async () => {
      running += 1;
      most = Math.max(most, running);
      if (running === parallelism) full.open();
      await full.pass();
      running -= 1;
    });
    const summary = await stage.run({ settings: { parallelism }, ports: { triageAgent } });
    expect([summary.totals.applied, most]).toEqual([issues, parallelism]);
    expect(stage.warnings()).toEqual([]);
  }
});

test.concurrent("at most three publications run at a time, each with its own look at the issue and the lock (T4, T11)", async () => {
  await using stage = await openBatchStage();
  const { github, ports } = stage;
  const labels = ["needs-triage", "bug", "enhancement"];
  for (let number = 1; number <= 5; number += 1) await github.createIssue({ title: "torn", labels });
  const waiting = new Set<number>();
  let [publishing, most] = [0, 0];
  const provider: BatchPorts["provider"] = {
    ...ports.provider,
    leaseState: async (id, signal) => {
      publishing += 1;
      most = Math.max(most, publishing);
      return ports.provider.leaseState(id, signal);
    },
  };
  const reader: BatchPorts["reader"] = {
    ...ports.reader,
    issue: (ref, signal) => {
      waiting.add(ref.number);
      return ports.reader.issue(ref, signal);
    },
  };
  const writer: BatchPorts["writer"] = {
    ...ports.writer,
    publishComment: async (ref, body, signal) => {
      await poll("all of them", () => waiting.size === 5);
      const comment = await ports.writer.publishComment(ref, body, signal);
      publishing -= 1;
      return comment;
    },
  };
  const settings = { parallelism: 5 };
  const summary = await stage.run({ settings, ports: { provider, reader, writer } });
  expect([summary.totals.applied, most]).toEqual([5, 3]);
});

test.concurrent("a batch that takes the lock after another batch has finished the issue sees that and writes nothing (A33)", async () => {
  await using stage = await openBacklog(1);
  const selected = gate();
  const late = stage.run({
    ports: {
      triageAgent: forbiddenAgent,
      provider: {
        ...stage.provider,
        create: async (request, signal) => {
          await selected.pass();
          return stage.provider.create(request, signal);
        },
      },
    },
  });
  await selected.reached;
  expect(line(await stage.run({ ports: { triageAgent: askingAgent() } }))).toBe("applied needs-triage");
  stage.advance(5 * MINUTE_MS);
  const writes = stage.github.calls.length;
  selected.open();
  const summary = await late;
  expect(line(summary)).toBe("skipped no-longer-eligible");
  expect(summary.issues[0]?.workspace).toMatchObject({ name: "widgets-triage-1", destroyed: true });
  const reads = new Set<string>(["issue", "comments", "labelEvents"]);
  expect(stage.github.calls.slice(writes).filter(({ operation }) => !reads.has(operation))).toEqual([]);
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("while one batch works on an issue, another one finds it locked (T3)", async () => {
  await using stage = await openBacklog(1);
  const working = gate();
  const first = stage.run({ ports: { triageAgent: askingAgent(working.pass) } });
  await working.reached;
  expect(line(await stage.run({ ports: { triageAgent: forbiddenAgent } }))).toBe(
    "locked locked-by-another-parent",
  );
  working.open();
  expect(line(await first)).toBe("applied needs-triage");
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("a lock held by another repository of the same name is reported as that, and not as another parent's lock (T3)", async () => {
  await using stage = await openBacklog(1);
  const held = { runId: "20260102T030405Z", issueKey: "elsewhere/widgets#1", parent: "laptop/1/boot.1.5" };
  await using other = await heldBy(stage, held);
  expect(line(await stage.run({ ports: { triageAgent: forbiddenAgent } }))).toBe(
    "locked locked-by-another-repository",
  );
  await other.release();
  expect(await stage.left()).toEqual(nothingLeft);
});

/** Takes the lock of issue 1 with this lease. */
async function heldBy({ provider }: BatchStage, lease: Lease) {
  const name = "widgets-triage-1";
  const result = await provider.create({ name, lease }, never);
  if (result.type !== "created") throw new Error(`${name} is locked already`);
  const release = async (): Promise<void> => void (await provider.destroy(result.workspace, never));
  return { release, [Symbol.asyncDispose]: release };
}

test.concurrent("two batches on one backlog process no issue twice and duplicate no comment (T11)", async () => {
  const issues = 4;
  await using stage = await openBacklog(issues);
  const worked: number[] = [];
  const ports = { triageAgent: askingAgent((number) => void worked.push(number)) };
  const summaries = await Promise.all([stage.run({ ports }), stage.run({ ports })]);
  expect(worked.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  expect(await commentCounts(stage, issues)).toEqual(Array.from({ length: issues }, () => 1));
  expect(new Set(summaries.map(({ runId }) => runId)).size).toBe(2);
  expect(summaries.flatMap(({ totals }) => [totals.failed, totals.requeued])).toEqual([0, 0, 0, 0]);
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent.each<Partial<BudgetSettings>>([
  { batchUsd: 3 },
  { batchTokens: 30 },
  { batchUsd: 100, batchTokens: 16 },
])(
  "the batch starts no further issue once its budget %j is spent, and keeps the paid results (T9)",
  async (budget) => {
    await using stage = await openBacklog(3);
    const asking = askingAgent();
    const usage = { inputTokens: 10, outputTokens: 5, usd: 2 };
    const summary = await stage.run({
      settings: { parallelism: 1, budget: { ...noBudget, ...budget } },
      ports: {
        triageAgent: {
          ...asking,
          run: async (context) => ({ ...(await asking.run(context)), usage }),
        },
      },
    });
    expect(summary.issues.map((_, index) => line(summary, index))).toEqual([
      "applied needs-triage",
      "applied needs-triage",
      "skipped batch-budget-spent",
    ]);
    expect(summary.issues[0]?.usage).toEqual(usage);
  },
);

test.concurrent("a Triage Run ends when its budget is used up: an outcome counts, a missing one becomes notes, and the summary says why (T9)", async () => {
  await using stage = await openBacklog(2);
  const asking = askingAgent();
  const usage = { inputTokens: 10, outputTokens: 5, usd: 2 };
  const summary = await stage.run({
    ports: {
      triageAgent: {
        ...asking,
        run: async (context) => {
          if (context.issueNumber === 1) await asking.run(context);
          return { type: "over-budget", usage };
        },
      },
    },
  });
  expect(summary.issues).toMatchObject([
    { status: "applied", outcome: "needs-info", policy: ["run-budget-spent"], usage },
    {
      status: "applied",
      outcome: "needs-triage",
      policy: ["no-valid-outcome", "run-budget-spent"],
      usage,
      artifacts: { recording: expect.any(String) },
    },
  ]);
  // An issue that cost so much waits for a person or the cooldown (policy 6).
  const again = await stage.run({ ports: { triageAgent: forbiddenAgent } });
  expect(again.issues.map((_, index) => line(again, index))).toContain("skipped cooldown");
  expect(again.totals).toMatchObject({ applied: 0, failed: 0 });
});

test.concurrent("a flood of issues by one author leaves room for other authors (S14)", async () => {
  await using stage = await openBatchStage();
  const { github } = stage;
  for (const by of ["stranger", "stranger", "stranger", "reporter"])
    await github.createIssue({ title: "it breaks", labels: ["needs-triage"], by });
  const summary = await stage.run({
    settings: { budget: { ...noBudget, runsPerAuthor: 2 } },
    ports: { triageAgent: askingAgent() },
  });
  expect(summary.issues.map((_, index) => line(summary, index))).toEqual([
    "applied needs-triage",
    "applied needs-triage",
    "skipped author-limit",
    "applied needs-triage",
  ]);
});
