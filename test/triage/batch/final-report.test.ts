import { expect, test } from "vitest";
import { connectToParent, deriveSurface, type RunUpdate } from "../../../src/runs/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent } from "../../support/batch/in-process-agent.ts";
import { poll } from "../../support/batch/poll.ts";

const never = new AbortController().signal;

test("a final report is shown as the reply while its Triage Agent still works; only the true end settles the run, once (C14, C16)", async () => {
  await using stage = await openBatchStage();
  const { repo } = stage.github;
  await stage.github.createIssue({ title: "one", labels: ["needs-triage"] });
  const run = () => stage.store.latestRun(repo, 1);
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const triageAgent = askingAgent(async (_number, { reportFinal, session, signal }) => {
    await session.run("echo a preview", { callerTimeoutMs: 10_000, signal });
    reportFinal();
    reportFinal();
    await finished;
  });
  const running = stage.run({ ports: { triageAgent } });
  await poll("the prompt", () => run()?.runState.state === "running");
  const [batch] = stage.store.batches(1);
  const lookup = await connectToParent(
    { home: stage.directory, runId: batch?.runId ?? "" },
    stage.ports.clock,
  );
  if (lookup.type === "gone") throw new Error(lookup.seen);
  await using parent = lookup.parent;
  const updates: RunUpdate[] = [];
  // Without streaming, only final updates are sent.
  const watching = parent.observe(
    { method: "observe", repo, number: 1, mode: { type: "passive-final" } },
    (update) => void updates.push(update),
    never,
  );
  const reported = await poll("the report", () => {
    const facts = run();
    return facts !== null && deriveSurface(facts) === "reply sent, backend still active" ? facts : null;
  });
  expect(reported).toMatchObject({ runState: { state: "running" }, activity: { isTerminated: false } });
  expect(updates).toEqual([]);
  finish();
  await watching;
  expect(updates.map((update) => (update.type === "settled" ? update.evidence : update.type))).toEqual([
    "turn-outcome",
    "ended",
  ]);
  expect((await running).issues).toMatchObject([{ status: "applied" }]);
});
