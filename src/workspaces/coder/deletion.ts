import { DeadlineExceeded, messageOf, OperationalError, startDeadline } from "agent-tty/kit";
import type { DestroyResult, WorkspaceErrorCode, WorkspaceIdentity } from "../port.ts";
import { explain, unexpectedAnswer } from "./coder-answer.ts";
import type { CoderContext } from "./coder-context.ts";
import type { WorkspaceFacts } from "./coder-schemas.ts";
import { workspaceError } from "./workspace-error.ts";

/** What is to be done next, after one look at the Coder workspace. */
type DeletionStep =
  | { type: "gone" }
  | { type: "cancel"; buildId: string; status: "pending" | "running" }
  | { type: "wait" }
  | { type: "delete" }
  | { type: "give-up"; seen: string };

interface DeletionMemory {
  /** Builds whose cancellation was tried in the state named after the colon; once is enough. */
  cancelled: ReadonlySet<string>;
  deletesStarted: number;
  deleteAttempts: number;
}

/** Pure. Never `orphan`: that would leave the machine running with nobody to see it. */
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
      // The row disappears with the end of the build; until then it is not verified.
      return isDelete ? { type: "wait" } : { type: "delete" };
    default: {
      const isOurFailure = isDelete && memory.deletesStarted >= memory.deleteAttempts;
      const seen = `the delete build ended ${job.status}: ${job.error ?? "no reason given"}`;
      return isOurFailure ? { type: "give-up", seen } : { type: "delete" };
    }
  }
}

/** Cancels what is being built, deletes, and verifies that the id is gone. Everything else is `stranded`. */
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
  { api, clock, timings, token }: CoderContext,
  { id }: WorkspaceIdentity,
  signal: AbortSignal,
  onSeen: (seen: string) => void,
): Promise<{ type: "destroyed" } | { type: "absent" } | { type: "given-up"; seen: string }> {
  const cancelled = new Set<string>();
  const patience: Patience = {
    onSeen,
    mayPass: token.source.type === "environment" ? null : "CODER_LOGGED_OUT",
    pause: () => clock.sleep(timings.deleteRetryMs, signal),
  };
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
        if (await patiently(() => startDelete(api, id, onSeen), patience)) deletesStarted += 1;
        break;
      case "wait":
        break;
    }
    await clock.sleep(timings.pollMs, signal);
  }
}

interface Patience {
  onSeen: (seen: string) => void;
  /** A token that is renewed from outside may still be: then being logged out is waited for, too. */
  mayPass: WorkspaceErrorCode | null;
  pause: () => Promise<void>;
}

/** A deployment that is away longer than one request is retried for is waited for until the deadline. */
async function patiently<Answer>(
  ask: () => Promise<Answer>,
  { onSeen, mayPass, pause }: Patience,
): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const code = error instanceof OperationalError ? error.code : null;
      const isPassing = code === "CODER_UNREACHABLE" || code === "CODER_RATE_LIMITED";
      const isWaitedFor = mayPass !== null && code === mayPass;
      if (!isPassing && !isWaitedFor) throw error;
      onSeen(messageOf(error));
      if (isWaitedFor) await pause();
    }
  }
}

/** False when nothing was started for certain: another build is active, or the next look will tell. */
async function startDelete(
  api: CoderContext["api"],
  id: string,
  onSeen: (seen: string) => void,
): Promise<boolean> {
  const attempt = await api.deleteWorkspace(id);
  if (attempt.type === "passing") {
    onSeen(attempt.seen);
    return false;
  }
  const { answer } = attempt;
  if ([200, 201].includes(answer.status)) return true;
  // 404 and 410: gone meanwhile; 409: a build is active; 5xx: unknown. The next look decides all of them.
  if (answer.status === 404 || answer.status === 410 || answer.status === 409 || answer.status >= 500) {
    onSeen(explain(answer));
    return false;
  }
  throw unexpectedAnswer(`delete the Coder workspace ${id}`, answer);
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
      remedy: `Run \`coder delete ${name}\` as its owner once the cause is removed; \`afk-triage reap\` tries again.`,
      details: { id, name, url: address },
      ...(cause === undefined ? {} : { cause }),
    }),
  };
}
