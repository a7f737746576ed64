import { DeadlineExceeded, messageOf, startDeadline } from "agent-tty/kit";
import type { DestroyResult, WorkspaceIdentity } from "../port.ts";
import { patienceOf, patiently, startBuild } from "./builds.ts";
import type { CoderContext } from "./coder-context.ts";
import type { WorkspaceFacts } from "./coder-schemas.ts";
import { workspaceError } from "./workspace-error.ts";

/** The next step after one read of the Coder workspace. */
type DeletionStep =
  | { type: "gone" }
  | { type: "cancel"; buildId: string; status: "pending" | "running" }
  | { type: "wait" }
  | { type: "delete" }
  | { type: "give-up"; seen: string };

interface DeletionMemory {
  /** The builds whose cancellation was tried, each with its state after a colon; one try per state is enough. */
  cancelled: ReadonlySet<string>;
  deletesStarted: number;
  deleteAttempts: number;
}

/**
 * Returns the next step. Pure. It never requests an `orphan` deletion, because that would leave the machine running without
 * anybody seeing it.
 */
export function planDeletion(workspace: WorkspaceFacts | null, memory: DeletionMemory): DeletionStep {
  if (workspace === null) return { type: "gone" };
  const { id: buildId, transition, job } = workspace.latest_build;
  const isDelete = transition === "delete";
  switch (job.status) {
    case "pending":
    case "running": {
      if (isDelete || memory.cancelled.has(`${buildId}:${job.status}`)) return { type: "wait" };
      return { type: "cancel", buildId, status: job.status };
    }
    case "canceling":
      return { type: "wait" };
    case "succeeded":
      // The row disappears when the build ends; until then the deletion is not verified.
      return isDelete ? { type: "wait" } : { type: "delete" };
    default: {
      const isOurFailure = isDelete && memory.deletesStarted >= memory.deleteAttempts;
      const seen = `the delete build ended ${job.status}: ${job.error ?? "no reason given"}`;
      return isOurFailure ? { type: "give-up", seen } : { type: "delete" };
    }
  }
}

/**
 * Cancels an active build, deletes the Coder workspace, and verifies that its id is gone. Resolves with `stranded` for any other
 * result.
 */
export async function destroyWorkspace(
  context: CoderContext,
  target: WorkspaceIdentity,
  signal: AbortSignal,
): Promise<DestroyResult> {
  const { clock, timings } = context;
  const attempted = `the deletion of the Coder workspace ${target.name}`;
  using deadline = startDeadline(clock, attempted, timings.deleteLimitMs, signal);
  const seen = { last: "nothing yet" };
  try {
    const end = await driveDeletion(context, target, deadline.signal, (last) => (seen.last = last));
    return end.type === "given-up" ? stranded(context, target, end.seen) : end;
  } catch (error) {
    const isSlow = error instanceof DeadlineExceeded;
    const why = isSlow ? `${error.message}; last seen: ${seen.last}` : messageOf(error);
    return stranded(context, target, why, error);
  }
}

async function driveDeletion(
  context: CoderContext,
  { id }: WorkspaceIdentity,
  signal: AbortSignal,
  onSeen: (seen: string) => void,
): Promise<{ type: "destroyed" } | { type: "absent" } | { type: "given-up"; seen: string }> {
  const { api, clock, timings } = context;
  const cancelled = new Set<string>();
  const patience = patienceOf(context, signal, onSeen);
  let deletesStarted = 0;
  let wasSeen = false;
  for (;;) {
    const workspace = await patiently(() => api.workspace(id, signal), patience);
    const step = planDeletion(workspace, {
      cancelled,
      deletesStarted,
      deleteAttempts: timings.deleteAttempts,
    });
    if (workspace !== null) {
      wasSeen = true;
      const { transition, job } = workspace.latest_build;
      onSeen(`its latest build is a ${transition}, ${job.status}`);
    }
    switch (step.type) {
      case "gone":
        return { type: wasSeen ? "destroyed" : "absent" };
      case "give-up":
        return { type: "given-up", seen: step.seen };
      case "cancel":
        await patiently(() => api.cancelBuild(step.buildId, step.status, signal), patience);
        cancelled.add(`${step.buildId}:${step.status}`);
        continue;
      case "delete":
        if (deletesStarted > 0) await clock.sleep(timings.deleteRetryMs * deletesStarted, signal);
        if (await patiently(() => startBuild(api, id, "delete", onSeen), patience)) deletesStarted += 1;
        break;
      case "wait":
        break;
    }
    await clock.sleep(timings.pollMs, signal);
  }
}

function stranded(
  { url }: CoderContext,
  { id, name }: WorkspaceIdentity,
  seen: string,
  cause?: unknown,
): DestroyResult {
  const address = `${url.replace(/\/+$/, "")}/@me/${name}`;
  return {
    type: "stranded",
    error: workspaceError({
      code: "WORKSPACE_STRANDED",
      message: `The Coder workspace ${name} (${id}) could not be deleted and still holds its name: ${seen}. See ${address}`,
      remedy: `Run \`coder delete ${name}\` as its owner once the cause is removed. The process that created it keeps trying while it runs; after that, use \`afk-triage reap\`.`,
      details: { id, name, url: address },
      ...(cause === undefined ? {} : { cause }),
    }),
  };
}
