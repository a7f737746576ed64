import { type Deadline, OperationalError, startDeadline } from "agent-tty/kit";
import type { CoderWorkspace, DestroyResult, Lease } from "../../workspaces/index.ts";
import { workspaceName } from "../../workspaces/index.ts";
import { issueKey, type IssueRef } from "../../github/index.ts";
import type { BatchContext } from "./batch-context.ts";
import type { RunRecord } from "./run-record.ts";

/** Deleting has its own patience: it must not be cut short by the stop that makes it necessary. */
const DESTROY_DEADLINE_MS = 5 * 60_000;

export type HoldResult = { type: "held" } | { type: "locked"; holder: Lease | null };

/**
 * Takes the lock, does the work, and always deletes the Coder workspace (T5): after success, failure, timeout and
 * stop alike. A stop during the create waits for the create to become known, then deletes.
 */
export async function holdWorkspace(
  ref: IssueRef,
  record: RunRecord,
  context: BatchContext,
  work: (workspace: CoderWorkspace) => Promise<void>,
): Promise<HoldResult> {
  const { provider, observe } = context.ports;
  const name = workspaceName({
    repo: ref.repo,
    number: ref.number,
    prefix: context.settings.workspacePrefix,
  });
  const lease: Lease = { runId: context.runId, issueKey: issueKey(ref), parent: context.ports.parent };
  record.phase("creating", name);
  const created = await record.timed("provisionMs", () => provider.create({ name, lease }, context.stop));
  if (created.type === "locked") return created;
  const { workspace } = created;
  record.note({ workspace: { name, id: workspace.id, destroyed: false } });
  observe({ type: "workspace-created", ref, name, id: workspace.id });
  try {
    await work(workspace);
  } catch (error) {
    record.fail(error);
  } finally {
    record.phase("destroying", name);
    const result = await record.timed("destroyMs", () => destroy(workspace, context));
    record.note({ workspace: { name, id: workspace.id, destroyed: result.type !== "stranded" } });
    if (result.type === "stranded") record.strand(result.error);
  }
  return { type: "held" };
}

async function destroy(workspace: CoderWorkspace, context: BatchContext): Promise<DestroyResult> {
  const deadline: Deadline = startDeadline(
    context.ports.clock,
    `the deletion of the Coder workspace ${workspace.name}`,
    DESTROY_DEADLINE_MS,
  );
  try {
    return await context.ports.provider.destroy({ id: workspace.id, name: workspace.name }, deadline.signal);
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
