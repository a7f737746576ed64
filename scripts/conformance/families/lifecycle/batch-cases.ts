import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OperationalError } from "agent-tty/kit";
import { connectToParent, type TriageRunFacts } from "../../../../src/runs/index.ts";
import type { BatchSummary, IssueSummary, TriageAgentContext } from "../../../../src/triage/index.ts";
import type { CoderWorkspaceProvider } from "../../../../src/workspaces/index.ts";
import { type BatchStage, openBatchStage } from "../../../../test/support/batch/batch-stage.ts";
import { askingAgent, waitFor } from "../../../../test/support/batch/in-process-agent.ts";
import { type CaseReport, compare, compareDocumented } from "../../case-report.ts";
import type { LifecycleCase } from "./lifecycle-case.ts";

const never = new AbortController().signal;
const HARVESTED = "a dirty checkout is kept as a patch; the Coder workspace always goes (T5, O23)";
const SETTLED = "every issue has its line in the summary: the row stays, settled as failed";

/**
 * Checks a case about setup and teardown with a batch that has real Sessions; returns null if the case is about something else.
 */
export async function checkBatchCase(one: LifecycleCase): Promise<CaseReport[] | null> {
  switch (one.event) {
    case "kill":
      return [compare(one.id, one.expect, await killOrder())];
    case "kill with uncommitted changes":
      return [await checkDirtyKill(one)];
    case "spawn; workspace create fails":
      return [await checkRefusedCreate(one)];
    case "spawn; runtime create fails": {
      const { run, issue } = await failingSpawn((provider) => ({ ...provider, create: unready(provider) }));
      const isDown = issue.workspace?.destroyed === true && run?.activity.isTerminated === true;
      return [compare(one.id, one.expect, isDown ? "workspace destroyed; row terminated" : issue)];
    }
    default:
      return null;
  }
}

/** Returns the observed order of a kill's actions. */
async function killOrder(): Promise<string[]> {
  await using stage = await openBatchStage();
  const order = new Set<string>();
  const { provider, store } = stage.ports;
  stage.ports.store = {
    ...store,
    saveRun: (facts) => {
      if (facts.activity.isTerminated) order.add("mark terminated first");
      store.saveRun(facts);
    },
  };
  stage.ports.provider = {
    ...provider,
    destroy: (target, signal) => {
      order.add("destroy workspace");
      return provider.destroy(target, signal);
    },
  };
  await killed(stage, ({ session }) => {
    void session.exited.then(() => order.add("destroy runtime"));
  });
  return [...order];
}

async function checkDirtyKill({ id, expect }: LifecycleCase): Promise<CaseReport> {
  await using stage = await openBatchStage();
  const { issue, run } = await killed(stage, ({ files }) =>
    writeFile(join(files.checkout, "widget.mjs"), "changed\n"),
  );
  const seen = {
    is_terminated: run?.activity.isTerminated,
    workspace: issue.artifacts.patch === null ? "lost" : "kept as a patch",
    freed: issue.workspace?.destroyed,
  };
  const ours = { is_terminated: true, workspace: "kept as a patch", freed: true };
  return compareDocumented(id, { expected: expect, ours, seen, reason: HARVESTED });
}

async function checkRefusedCreate({ id, expect }: LifecycleCase): Promise<CaseReport> {
  const { run } = await failingSpawn((provider) => ({ ...provider, create: () => Promise.reject(refusal) }));
  const seen = run?.progress.phase === "settled" ? run.progress.end.status : run?.progress.phase;
  return compareDocumented(id, { expected: expect, ours: "failed", seen, reason: SETTLED });
}

const refusal = new OperationalError({
  code: "WORKSPACE_CREATE_FAILED",
  message: "create the Coder workspace: refused",
  remedy: "none",
});

/** Returns a create that never becomes ready. */
function unready(provider: CoderWorkspaceProvider): CoderWorkspaceProvider["create"] {
  return async (request, signal) => {
    const created = await provider.create(request, signal);
    if (created.type === "locked") return created;
    return { type: "created", workspace: { ...created.workspace, ready: () => Promise.reject(refusal) } };
  };
}

interface Ended {
  issue: IssueSummary;
  run: TriageRunFacts | null;
}

async function failingSpawn(
  change: (provider: CoderWorkspaceProvider) => CoderWorkspaceProvider,
): Promise<Ended> {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "one", labels: ["needs-triage"] });
  return ended(stage, await stage.run({ ports: { provider: change(stage.provider) } }));
}

/** Plays a run that another process kills while its Triage Agent works. */
async function killed(
  stage: BatchStage,
  work: (context: TriageAgentContext) => void | Promise<void>,
): Promise<Ended> {
  await stage.github.createIssue({ title: "one", labels: ["needs-triage"] });
  const triageAgent = askingAgent(async (number, context) => {
    await work(context);
    const [batch] = stage.store.batches(1);
    const parent = { home: stage.directory, runId: batch?.runId ?? "" };
    const lookup = await connectToParent(parent, stage.ports.clock);
    if (lookup.type === "gone") throw new Error(lookup.seen);
    await lookup.parent.call({ method: "kill", repo: stage.github.repo, number }, never);
    await lookup.parent[Symbol.asyncDispose]();
    await waitFor(context.signal);
  });
  return ended(stage, await stage.run({ ports: { triageAgent } }));
}

function ended(stage: BatchStage, summary: BatchSummary): Ended {
  const [issue] = summary.issues;
  if (issue === undefined) throw new Error("the batch has no issue");
  return { issue, run: stage.store.latestRun(issue.repo, issue.number) };
}
