import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OperationalError } from "agent-tty/kit";
import { expect, test, vi } from "vitest";
import type { BatchSummary, TriageAgent } from "../../../src/triage/index.ts";
import { type BatchStage, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, forbiddenAgent, proposingAgent } from "../../support/batch/in-process-agent.ts";
import { worldPeople } from "../../support/github/github-world.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const PAID = { inputTokens: 100, outputTokens: 20, usd: 1.5 };

/** A Triage Agent that changes the checkout, asks the reporter, and costs money. */
const paidAgent: TriageAgent = {
  ...askingAgent(),
  run: async (context) => {
    await writeFile(join(context.files.checkout, "tried.txt"), "tried\n");
    return { ...(await askingAgent().run(context)), usage: PAID };
  },
};

const lines = ({ issues }: BatchSummary): string[] =>
  issues.map(({ status, reason }) => `${status} ${reason}`);

const refused = new OperationalError({ code: "GITHUB_FORBIDDEN", message: "not you", remedy: "ask" });

/** Runs one batch whose Triage Agent writes an outcome, but which then publishes nothing. */
async function deliveredOnly(stage: BatchStage): Promise<BatchSummary> {
  const { provider } = stage;
  return stage.run({
    ports: {
      triageAgent: paidAgent,
      provider: { ...provider, leaseState: () => Promise.resolve("unknown") },
    },
  });
}

test.concurrent("a later batch continues from the checkpoint without a second Triage Agent, and reports its usage once (T9)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const first = await deliveredOnly(stage);
  expect(lines(first)).toEqual(["requeued lease-unknown"]);
  expect(first.issues[0]?.usage).toEqual(PAID);
  const second = await stage.run({ ports: { triageAgent: forbiddenAgent } });
  expect(second.issues).toMatchObject([
    { status: "applied", outcome: "needs-info", usage: { inputTokens: 0, outputTokens: 0, usd: 0 } },
  ]);
  // The Triage Agent's patch is still reported.
  const { patch = null } = second.issues[0]?.artifacts ?? {};
  expect(patch).toBe(first.issues[0]?.artifacts.patch);
  expect(await readFile(patch ?? "", "utf8")).toContain("+tried");
  expect(await stage.ports.checkpoints.read({ repo: stage.github.repo, number: 1 })).toBeNull();
});

test.concurrent("if the parent was killed before its summary, the continuing batch reports the checkpoint's usage (T9, T7)", async () => {
  await using stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  await deliveredOnly(stage);
  const checkpoint = await stage.ports.checkpoints.read(ref);
  if (checkpoint === null) throw new Error("nothing was kept");
  expect(checkpoint).toMatchObject({ isReported: true, end: "finished", usage: PAID });
  // The state that a kill between the reading of the outcome and the end of the Triage Run leaves.
  await stage.ports.checkpoints.save({ ...checkpoint, isReported: false });
  const { issues } = await stage.run({ ports: { triageAgent: forbiddenAgent } });
  expect(issues).toMatchObject([{ status: "applied", usage: PAID }]);
});

test.concurrent("a checkpoint is ignored if the issue has changed since (T4, S13)", async () => {
  await using stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  await deliveredOnly(stage);
  await stage.github.comment(ref, worldPeople.reporter, "It is version 2.");
  let started = 0;
  const agent = proposingAgent({ summary: "It is version 2." }, () => void (started += 1));
  expect(lines(await stage.run({ ports: { triageAgent: agent } }))).toEqual(["applied needs-triage"]);
  expect(started).toBe(1);
});

test.concurrent("an issue whose publication failed repeatedly is retried without a wait, because continuing costs nothing (T9, S14)", async () => {
  await using stage = await openBatchStage();
  const { github } = stage;
  await github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const triageAgent = paidAgent;
  github.intercept = ({ operation }, phase) => {
    if (operation === "publishComment" && phase === "before") throw refused;
  };
  await stage.run({ ports: { triageAgent } });
  for (let batch = 0; batch < 5; batch += 1)
    expect((await stage.run({ ports: { triageAgent: forbiddenAgent } })).issues).toMatchObject([
      { status: "failed", reason: "github-forbidden" },
    ]);
  github.intercept = () => undefined;
  expect(lines(await stage.run({ ports: { triageAgent: forbiddenAgent } }))).toEqual([
    "applied needs-triage",
  ]);
});

test.concurrent("a checkpoint that cannot be saved or removed causes a warning but does not lose the outcome (C7)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const full = () => Promise.reject(new Error("ENOSPC: no space left on device"));
  const checkpoints = { ...stage.ports.checkpoints, save: full, remove: full };
  expect(lines(await stage.run({ ports: { triageAgent: paidAgent, checkpoints } }))).toEqual([
    "applied needs-triage",
  ]);
  expect(stage.warnings()).toEqual([
    "a checkpoint was not kept: ENOSPC: no space left on device",
    "a checkpoint was not settled: ENOSPC: no space left on device",
  ]);
});

test.concurrent("after GitHub rejects the token during the batch, no further Triage Run begins, and the next batch publishes what was paid for (T9)", async () => {
  await using stage = await openBatchStage();
  const { github } = stage;
  for (const title of ["it breaks", "it hangs", "it leaks"])
    await github.createIssue({ title, labels: ["needs-triage"] });
  const started: number[] = [];
  const triageAgent = askingAgent((number) => void started.push(number));
  const expired = new OperationalError({ code: "GITHUB_TOKEN_REJECTED", message: "401", remedy: "renew" });
  let isExpired = false;
  github.intercept = ({ operation }, phase) => {
    isExpired ||= operation === "publishComment" && phase === "before";
    if (isExpired) throw expired;
  };
  expect(lines(await stage.run({ settings: { parallelism: 1 }, ports: { triageAgent } }))).toEqual([
    "failed github-token-rejected",
    "skipped github-token-rejected",
    "skipped github-token-rejected",
  ]);
  github.intercept = () => undefined;
  expect(lines(await stage.run({ ports: { triageAgent } }))).toEqual(Array(3).fill("applied needs-triage"));
  expect(new Set(started)).toEqual(new Set([1, 2, 3]));
  expect(started).toHaveLength(3);
});
