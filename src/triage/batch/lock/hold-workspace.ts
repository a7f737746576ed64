import { type Deadline, messageOf, OperationalError, startDeadline } from "agent-tty/kit";
import {
  type CoderWorkspace,
  type DestroyResult,
  type Lease,
  type WorkspaceIdentity,
  workspaceName,
} from "../../../workspaces/index.ts";
import { issueKey, type IssueRef } from "../../../github/index.ts";
import type { BatchPorts, Inspections } from "../batch-context.ts";
import type { BatchSettings } from "../settings.ts";
import {
  isNotTheIssuesFault,
  pauseBeforeRetry,
  planRetry,
  type Retry,
  type RetryKind,
} from "./clean-attempts.ts";
import type { RunRecord } from "../run-record.ts";

/** The deletion has a deadline of its own, because the stop that makes it necessary must not cut it short. */
const DESTROY_DEADLINE_MS = 5 * 60_000;

/** The facts of a batch that go into a lock, and the ports that create, delete and report on it. */
interface LockDeps {
  runId: string;
  settings: Pick<BatchSettings, "workspacePrefix">;
  ports: Pick<BatchPorts, "provider" | "observe" | "clock" | "ids" | "parent">;
  inspections: Inspections;
  stop: AbortSignal;
}

export type HoldResult = { type: "held" } | { type: "locked"; holder: Lease | null };

/**
 * Takes the lock, does the work, and always deletes the Coder workspace (T5) after success, failure, timeout and stop alike,
 * unless it is kept for inspection. After a stop during the create, it waits until the result of the create is known, then
 * deletes. A Coder workspace that never came up is replaced, and one that only waited too long for its quota is requested again
 * after a pause.
 */
export async function holdWorkspace(
  ref: IssueRef,
  record: RunRecord,
  context: LockDeps,
  work: (workspace: CoderWorkspace) => Promise<void>,
): Promise<HoldResult> {
  const name = workspaceName({
    repo: ref.repo,
    number: ref.number,
    prefix: context.settings.workspacePrefix,
  });
  const lease: Lease = { runId: context.runId, issueKey: issueKey(ref), parent: context.ports.parent };
  record.phase("creating", name);
  const retries: RetryKind[] = [];
  for (;;) {
    const result = await holdOnce({ ref, name, lease, record, context, work, retries });
    if (result.type !== "try-again") return result;
    retries.push(result.retry.kind);
    const message = `the Coder workspace ${name} never came up and is replaced: ${result.why}`;
    context.ports.observe({ type: "warning", message });
    await pauseBeforeRetry(result.retry, context.ports, context.stop);
  }
}

interface Attempt {
  ref: IssueRef;
  name: string;
  lease: Lease;
  record: RunRecord;
  context: LockDeps;
  work: (workspace: CoderWorkspace) => Promise<void>;
  retries: readonly RetryKind[];
}

async function holdOnce({
  ref,
  name,
  lease,
  record,
  context,
  work,
  retries,
}: Attempt): Promise<HoldResult | { type: "try-again"; why: string; retry: Retry }> {
  const { provider, observe } = context.ports;
  const created = await record.timed("provisionMs", () => provider.create({ name, lease }, context.stop));
  if (created.type === "locked") return created;
  const { workspace } = created;
  record.note({ workspace: { name, id: workspace.id, destroyed: false, keptUntil: null } });
  observe({ type: "workspace-created", ref, name, id: workspace.id });
  const failure = await work(workspace).then(
    () => null,
    (error: unknown) => error,
  );
  const retry = context.stop.aborted ? null : planRetry(failure, retries);
  if (retry === null) {
    if (failure !== null) record.fail(failure);
    if (isNotTheIssuesFault(failure)) record.settle("requeued", record.reason);
    record.phase("destroying", name);
  }
  if (retry === null && mayBeKept(record, context)) {
    const keptUntil = await context.inspections.keep(workspace, ref, context.stop);
    if (keptUntil !== null) {
      record.note({ workspace: { name, id: workspace.id, destroyed: false, keptUntil } });
      await record.finishEvidence();
      return { type: "held" };
    }
  }
  const result = await record.timed("destroyMs", () => destroyWorkspace(workspace, context.ports));
  const destroyed = result.type !== "stranded";
  record.note({ workspace: { name, id: workspace.id, destroyed, keptUntil: null } });
  if (result.type === "stranded") record.strand(result.error);
  await record.finishEvidence();
  const isGone = result.type !== "stranded";
  return retry !== null && isGone ? { type: "try-again", why: messageOf(failure), retry } : { type: "held" };
}

/**
 * Returns whether the Coder workspace may be kept. One that holds a secret of the parent or shows a vulnerability must not be
 * shared with a group (S8, S16).
 */
function mayBeKept(record: RunRecord, { stop }: LockDeps): boolean {
  return record.status === "failed" && !record.hasLeaked && !record.isWithheld && !stop.aborted;
}

/** Deletes the Coder workspace within a deadline of its own; never rejects. */
export async function destroyWorkspace(
  workspace: WorkspaceIdentity,
  { clock, provider }: Pick<BatchPorts, "clock" | "provider">,
): Promise<DestroyResult> {
  const deadline: Deadline = startDeadline(
    clock,
    `the deletion of the Coder workspace ${workspace.name}`,
    DESTROY_DEADLINE_MS,
  );
  try {
    return await provider.destroy({ id: workspace.id, name: workspace.name }, deadline.signal);
  } catch (error) {
    return {
      type: "stranded",
      error: new OperationalError({
        code: "WORKSPACE_STRANDED",
        message: `delete the Coder workspace ${workspace.name} (${workspace.id}): ${error instanceof Error ? error.message : String(error)}`,
        remedy: "Run `afk-triage reap`, or delete it by hand; the next batch tries again.",
        cause: error,
      }),
    };
  } finally {
    deadline[Symbol.dispose]();
  }
}
