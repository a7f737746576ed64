import { messageOf, OperationalError } from "agent-tty/kit";
import type { Place } from "../../../evidence/index.ts";
import { type IssueRef, issueKey } from "../../../github/index.ts";
import {
  type CoderWorkspace,
  type Lease,
  type ReadyWorkspace,
  type WorkspaceErrorCode,
  verificationName,
} from "../../../workspaces/index.ts";
import type { BatchPorts } from "../batch-context.ts";
import type { BatchSettings } from "../settings.ts";
import { destroyWorkspace, pauseBeforeRetry, planRetry, type RetryKind } from "../lock/index.ts";
import { sessionPorts } from "../session/index.ts";
import type { RunRecord } from "../run-record.ts";
import type { TriageErrorCode } from "../triage-error.ts";
import { isWithoutPlace, noPlace } from "../without-place.ts";
import { openVerification, type VerifiedVersion, verificationDirectory } from "./verify-reproduction.ts";

/** Returns the place, with a directory of its own for each repeat after a lost connection, counted from 0. */
export type Placed = (repeat: number, version?: VerifiedVersion) => Place;

/** The facts of a batch that determine the place of a verification, and the ports that create it. */
interface PlaceDeps {
  runId: string;
  settings: Pick<BatchSettings, "reproduction" | "workspacePrefix" | "sessionLogBytes">;
  ports: Pick<BatchPorts, "provider" | "observe" | "clock" | "ids" | "parent" | "sessionHome">;
}

export interface PlaceRequest {
  ref: IssueRef;
  /** The Coder workspace whose name is the lock; the Triage Agent worked in it. */
  lock: CoderWorkspace;
  /** The result of `lock.ready`. */
  ready: ReadyWorkspace;
  /** False if this run continues from the result of an earlier Triage Run, so that no Triage Agent was in `lock`. */
  hadTriageAgent: boolean;
  record: RunRecord;
  context: PlaceDeps;
  signal: AbortSignal;
}

/**
 * Runs `work` in a place where the Triage Agent never was (V1). First stops the Triage Agent's Coder workspace, so that nothing
 * in it runs and the cap on running Coder workspaces holds; its name stays the lock. Always deletes the second Coder workspace.
 * Rejects with an error whose `details.place` is `unavailable` if there is no place of that kind: then nothing was verified, and
 * the issue is requeued.
 */
export async function holdPlace<Result>(
  request: PlaceRequest,
  work: (placed: Placed) => Promise<Result>,
): Promise<Result> {
  const { ref, ready, hadTriageAgent, context } = request;
  if (!hadTriageAgent) return work((...where) => placeIn(ref, "fresh", ready, context, ...where));
  if (context.settings.reproduction.place === "same")
    return work((...where) => placeIn(ref, "same", ready, context, ...where));
  const isProven = await stopTriageAgent(request);
  const retries: RetryKind[] = [];
  for (;;) {
    const held = await holdOnce(request, isProven ? "fresh" : "same", work);
    if (held.type === "done") return held.result;
    const retry = request.signal.aborted ? null : planRetry(causeOf(held.error), retries);
    if (retry === null) throw held.error;
    retries.push(retry.kind);
    const message = `the Coder workspace of the verification of ${issueKey(ref)} is replaced: ${messageOf(held.error)}`;
    context.ports.observe({ type: "warning", message });
    await pauseBeforeRetry(retry, context.ports, request.signal);
  }
}

/** Stops the Triage Agent's Coder workspace. Returns whether it is proven that every process of the Triage Agent has ended. */
async function stopTriageAgent({ lock, record, context, signal }: PlaceRequest): Promise<boolean> {
  const { id, name } = lock;
  const stopped = await record.timed("verifyMs", () => context.ports.provider.stop({ id, name }, signal));
  if (stopped.type === "not-stopped") throw noPlace(stopped.error);
  return stopped.isProven;
}

type Held<Result> = { type: "done"; result: Result } | { type: "failed"; error: unknown };

async function holdOnce<Result>(
  request: PlaceRequest,
  kind: Place["kind"],
  work: (placed: Placed) => Promise<Result>,
): Promise<Held<Result>> {
  const { ref, record, context } = request;
  const workspace = await createSecond(request);
  try {
    const ready = await readySecond(workspace, request);
    for (const message of ready.warnings) context.ports.observe({ type: "warning", message });
    return { type: "done", result: await work((...where) => placeIn(ref, kind, ready, context, ...where)) };
  } catch (error) {
    return { type: "failed", error: isLost(error) ? noPlace(error) : error };
  } finally {
    const end = await record.timed("destroyMs", () => destroyWorkspace(workspace, context.ports));
    if (end.type === "stranded") record.leave({ name: workspace.name, id: workspace.id }, end.error);
  }
}

/** Creates the second Coder workspace with a lease of its own, by which the reaper of a later batch recognises it. */
async function createSecond({ ref, record, context, signal }: PlaceRequest): Promise<CoderWorkspace> {
  const { ports, settings, runId } = context;
  const name = verificationName({ ...ref, prefix: settings.workspacePrefix });
  const lease: Lease = { runId, issueKey: issueKey(ref), parent: ports.parent };
  ports.observe({ type: "place-requested", ref, name });
  try {
    const created = await record.timed("provisionMs", () => ports.provider.create({ name, lease }, signal));
    if (created.type === "created") return created.workspace;
  } catch (error) {
    if (isStranded(error)) record.leave({ name, id: "" }, error);
    throw noPlace(error);
  }
  throw noPlace(
    new OperationalError<TriageErrorCode>({
      code: "PLACE_TAKEN",
      message: `the Coder workspace ${name} exists already and belongs to another run`,
      remedy: "Run `afk-triage reap`, or delete it if nothing uses it; the next batch tries the issue again.",
    }),
  );
}

async function readySecond(
  workspace: CoderWorkspace,
  { record, signal }: PlaceRequest,
): Promise<ReadyWorkspace> {
  try {
    return await record.timed("provisionMs", () =>
      workspace.ready(signal, (phase) => record.phase("verifying", `${workspace.name}: ${phase}`)),
    );
  } catch (error) {
    throw noPlace(error);
  }
}

function causeOf(error: unknown): unknown {
  return isWithoutPlace(error) ? error.cause : error;
}

function isLost(error: unknown): error is OperationalError<WorkspaceErrorCode> {
  return error instanceof OperationalError && error.code === "WORKSPACE_LOST";
}

function isStranded(error: unknown): error is OperationalError<WorkspaceErrorCode> {
  return error instanceof OperationalError && error.code === "WORKSPACE_STRANDED";
}

/**
 * Returns the place of a verification in a Coder workspace, including that of a stored reproduction, where no Triage Agent has
 * been.
 */
export function placeIn(
  ref: IssueRef,
  kind: Place["kind"],
  workspace: ReadyWorkspace,
  context: Parameters<typeof sessionPorts>[1],
  repeat = 0,
  version: VerifiedVersion = "newest",
): Place {
  return {
    kind,
    workspace,
    directory: verificationDirectory(workspace, repeat, version),
    openSession: (signal) => openVerification(ref, sessionPorts(workspace, context), signal, repeat, version),
  };
}
