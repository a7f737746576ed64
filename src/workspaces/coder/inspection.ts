import { messageOf, OperationalError } from "agent-tty/kit";
import type { Inspection, KeepResult, WorkspaceIdentity } from "../port.ts";
import type { CoderContext } from "./coder-context.ts";
import type { BuildFacts, WorkspaceFacts } from "./coder-schemas.ts";

/*
 * The Coder workspace itself stores that it is kept for inspection, so that every parent can decide about it, even if the parent
 * that kept it is dead. It is marked as a favorite of its owner, and its ttl, counted from the owner's first start build, is
 * the end of the inspection. A person with whom it is shared can change neither, and cannot move that start by starting it.
 */

const MINUTE_MS = 60_000;
/** The longest inspection. A mark with a later end was not set by this program. */
const LONGEST_MS = 24 * 60 * MINUTE_MS;
/** The server refuses to extend by less than half an hour. */
const SHORTEST_EXTENSION_MS = 31 * MINUTE_MS;

/** Returns the end of the inspection, in milliseconds since the epoch; null if the Coder workspace is not kept. Pure. */
function endOfInspection({ favorite, ttl_ms }: WorkspaceFacts, startMs: number): number | null {
  return favorite === true && ttl_ms != null ? startMs + ttl_ms : null;
}

/**
 * Returns the state of the inspection. Without the server's time an inspection is never over, because a wrong end would take the
 * machine away from a person.
 */
export async function inspectionOf(
  context: CoderContext,
  workspace: WorkspaceFacts,
  serverTimeMs: number | null,
  signal: AbortSignal,
): Promise<Inspection> {
  if (workspace.favorite !== true) return "none";
  const endMs = endOfInspection(workspace, await firstStart(context, workspace, signal));
  if (endMs === null || Number.isNaN(endMs)) return "none";
  if (serverTimeMs === null) return "under-way";
  if (endMs - serverTimeMs > LONGEST_MS + MINUTE_MS) return "none";
  return endMs > serverTimeMs ? "under-way" : "over";
}

/**
 * Returns when the owner first started the Coder workspace, in milliseconds since the epoch, by the server's clock. The first
 * build of a claimed prebuild belongs to the pool.
 */
async function firstStart(
  { api }: CoderContext,
  { id, owner_id, created_at, latest_build }: WorkspaceFacts,
  signal: AbortSignal,
): Promise<number> {
  const builds = (latest_build.build_number ?? 1) <= 1 ? [latest_build] : await api.builds(id, signal);
  const isOwners = ({ transition, initiator_id }: BuildFacts): boolean =>
    transition === "start" && (initiator_id == null || initiator_id === owner_id);
  return Date.parse(builds.findLast(isOwners)?.created_at ?? created_at);
}

/**
 * Keeps a Coder workspace for inspection. It stores the end first, then the mark that makes the end valid, and reads both back.
 * The remaining steps may fail; their failures are returned as warnings.
 */
export async function keepWorkspace(
  context: CoderContext,
  { id, name }: WorkspaceIdentity,
  forMs: number,
  signal: AbortSignal,
): Promise<KeepResult> {
  const { api } = context;
  try {
    const found = await api.workspaceNow(id, signal);
    if (found === null) return { type: "not-kept", why: `the Coder workspace ${name} is gone` };
    const { facts, serverTimeMs } = found;
    const { transition, job } = facts.latest_build;
    if (transition !== "start" || job.status !== "succeeded")
      return {
        type: "not-kept",
        why: `the Coder workspace ${name} does not run (${transition}, ${job.status})`,
      };
    const startMs = await firstStart(context, facts, signal);
    const ttlMs = Math.ceil((serverTimeMs - startMs + Math.min(forMs, LONGEST_MS)) / MINUTE_MS) * MINUTE_MS;
    await api.setTimeToLive(id, ttlMs, signal);
    await api.markFavorite(id, signal);
    const kept = await api.workspace(id, signal);
    const untilMs = kept === null ? null : endOfInspection(kept, startMs);
    if (untilMs !== startMs + ttlMs)
      return { type: "not-kept", why: `the deployment did not store how long ${name} is kept` };
    const warnings = [
      ...(await extend(context, facts, Math.max(untilMs, serverTimeMs + SHORTEST_EXTENSION_MS), signal)),
      ...(await share(context, facts, signal)),
    ];
    return { type: "kept", untilMs, leftMs: untilMs - serverTimeMs, warnings };
  } catch (error) {
    signal.throwIfAborted();
    return { type: "not-kept", why: messageOf(error) };
  }
}

function extend(
  { api }: CoderContext,
  { id, name }: WorkspaceFacts,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<string[]> {
  return orWarning(`Coder may stop ${name} before its inspection is over`, signal, () =>
    api.extendDeadline(id, deadlineMs, signal),
  );
}

async function share(
  { api, inspections: { group } }: CoderContext,
  { id, name, organization_id }: WorkspaceFacts,
  signal: AbortSignal,
): Promise<string[]> {
  if (group === null) return [];
  return orWarning(`${name} is kept, but only its owner can look at it`, signal, async () => {
    const groupId = organization_id == null ? null : await api.group(organization_id, group, signal);
    if (groupId === null) throw new Error(`the template's organization has no group ${group}`);
    await api.shareWithGroup(id, groupId, signal);
  });
}

async function orWarning(
  consequence: string,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    signal.throwIfAborted();
    const remedy = error instanceof OperationalError ? ` ${error.remedy}` : "";
    return [`${consequence}: ${messageOf(error)}.${remedy}`];
  }
}
