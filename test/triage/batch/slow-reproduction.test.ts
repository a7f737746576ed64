import { systemClock } from "agent-tty/kit";
import { expect, test, vi } from "vitest";
import type { BatchSummary } from "../../../src/triage/index.ts";
import { type BatchStage, openBatchStage } from "../../support/batch/batch-stage.ts";
import { forbiddenAgent } from "../../support/batch/in-process-agent.ts";
import { providerWithExec } from "../../support/batch/provider-with-exec.ts";

// The tests run real batches, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const RUN_MS = 60_000;

test.concurrent("a reproduction that is too slow for the rest of the run deadline fails the Triage Run; the next one has the whole deadline and then concludes (V3, T9)", async () => {
  await using stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "honest", labels: ["needs-triage"] });
  const first = await withSlowRuns(stage, 5 * RUN_MS);
  expect(first.issues).toMatchObject([
    {
      status: "failed",
      reason: "verification-out-of-time",
      error: { message: expect.stringMatching(/\([1-5] were made, and the longest took \d+ s\)$/) },
    },
  ]);
  const second = await withSlowRuns(stage, 5 * RUN_MS, { triageAgent: forbiddenAgent });
  expect(second.issues).toMatchObject([
    { status: "applied", outcome: "needs-triage", policy: ["verification-impossible"], error: null },
  ]);
  const [comment] = await stage.github.reader.comments(ref, new AbortController().signal);
  expect(comment?.body).toContain("the run deadline leaves no time for the runs that a verdict still needs");
});

test.concurrent("a slow reproduction is verified if the run deadline leaves time for all of its runs (V3)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "honest", labels: ["needs-triage"] });
  const { issues } = await withSlowRuns(stage, 20 * RUN_MS);
  expect(issues).toMatchObject([{ status: "applied", evidence: { verdict: "verified" } }]);
});

/** Runs a Triage Batch on whose clock the preparation of each run takes a minute. */
async function withSlowRuns(
  stage: BatchStage,
  runDeadlineMs: number,
  ports: Partial<BatchStage["ports"]> = {},
): Promise<BatchSummary> {
  let offsetMs = 0;
  const provider = providerWithExec(stage.ports.provider, (exec) => (commandLine, options) => {
    if (commandLine.includes('"$script" > reproduction')) offsetMs += RUN_MS;
    return exec(commandLine, options);
  });
  const clock = { ...stage.ports.clock, monotonicMs: () => systemClock.monotonicMs() + offsetMs };
  return stage.run({
    settings: { runDeadlineMs },
    ports: { ...ports, clock, provider },
  });
}
