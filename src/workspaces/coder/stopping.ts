import { DeadlineExceeded, messageOf, startDeadline } from "agent-tty/kit";
import type { StopResult, WorkspaceIdentity } from "../port.ts";
import { patienceOf, patiently, startBuild } from "./builds.ts";
import type { CoderContext } from "./coder-context.ts";
import type { WorkspaceFacts } from "./coder-schemas.ts";
import { workspaceError } from "./workspace-error.ts";

/** The next step after one read of the Coder workspace. */
type StopStep =
  | { type: "stopped" }
  | { type: "wait" }
  | { type: "stop" }
  /** The lock is gone, or the machine cannot be stopped. */
  | { type: "give-up"; seen: string };

/** Returns the next step. Pure. A stop that another client requested counts as ours, because it ends the same processes. */
export function planStop(
  workspace: WorkspaceFacts | null,
  memory: { stopsStarted: number; stopAttempts: number },
): StopStep {
  if (workspace === null) return { type: "give-up", seen: "it was deleted by somebody else" };
  const { transition, job } = workspace.latest_build;
  if (transition === "delete") return { type: "give-up", seen: "somebody else is deleting it" };
  switch (job.status) {
    case "pending":
    case "running":
    case "canceling":
      return { type: "wait" };
    case "succeeded":
      return transition === "stop" ? { type: "stopped" } : { type: "stop" };
    default: {
      const isOurFailure = transition === "stop" && memory.stopsStarted >= memory.stopAttempts;
      const seen = `the stop build ended ${job.status}: ${job.error ?? "no reason given"}`;
      return isOurFailure ? { type: "give-up", seen } : { type: "stop" };
    }
  }
}

/**
 * Stops the machine and waits until the deployment reports that the stop build has succeeded. Resolves with `not-stopped`
 * otherwise. Rejects only with the signal's reason.
 */
export async function stopWorkspace(
  context: CoderContext,
  target: WorkspaceIdentity,
  signal: AbortSignal,
): Promise<StopResult> {
  const { clock, timings } = context;
  const attempted = `stopping the Coder workspace ${target.name}`;
  using deadline = startDeadline(clock, attempted, timings.stopLimitMs, signal);
  const seen = { last: "nothing yet" };
  try {
    const step = await driveStop(context, target, deadline.signal, (last) => (seen.last = last));
    return step.type === "stopped" ? { type: "stopped", isProven: true } : notStopped(target, step.seen);
  } catch (error) {
    signal.throwIfAborted();
    const isSlow = error instanceof DeadlineExceeded;
    return notStopped(target, isSlow ? `${error.message}; last seen: ${seen.last}` : messageOf(error), error);
  }
}

async function driveStop(
  context: CoderContext,
  { id }: WorkspaceIdentity,
  signal: AbortSignal,
  onSeen: (seen: string) => void,
): Promise<Extract<StopStep, { type: "stopped" | "give-up" }>> {
  const { api, clock, timings } = context;
  const patience = patienceOf(context, signal, onSeen);
  let stopsStarted = 0;
  for (;;) {
    const workspace = await patiently(() => api.workspace(id, signal), patience);
    const step = planStop(workspace, { stopsStarted, stopAttempts: timings.deleteAttempts });
    if (workspace !== null) {
      const { transition, job } = workspace.latest_build;
      onSeen(`its latest build is a ${transition}, ${job.status}`);
    }
    if (step.type === "stopped" || step.type === "give-up") return step;
    if (step.type === "stop") {
      if (stopsStarted > 0) await clock.sleep(timings.deleteRetryMs * stopsStarted, signal);
      if (await patiently(() => startBuild(api, id, "stop", onSeen), patience)) stopsStarted += 1;
    }
    await clock.sleep(timings.pollMs, signal);
  }
}

function notStopped({ id, name }: WorkspaceIdentity, seen: string, cause?: unknown): StopResult {
  return {
    type: "not-stopped",
    error: workspaceError({
      code: "WORKSPACE_NOT_STOPPED",
      message: `The Coder workspace ${name} (${id}) could not be stopped: ${seen}`,
      remedy:
        "Check that the Coder template can stop its machines (`coder stop`); the next batch tries the issue again.",
      details: { id, name },
      ...(cause === undefined ? {} : { cause }),
    }),
  };
}
