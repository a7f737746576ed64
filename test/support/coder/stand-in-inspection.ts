import type { StandInState, WorkspaceRecord } from "./stand-in-model.ts";
import { type Call, failure, type Reply } from "./stand-in-call.ts";
import { isActive, latestBuild } from "./stand-in-state.ts";

const MINUTE_MS = 60_000;
const MAX_TTL_MS = 30 * 24 * 60 * MINUTE_MS;
const notFound = failure(404, "Resource not found or you do not have access to this resource");
const noContent: Reply = { status: 204 };

type Handler = (state: StandInState, call: Call, ...captures: string[]) => Reply;

/** The properties of a Coder workspace that its owner may change without a build (coderd/workspaces.go). */
export const INSPECTION_ROUTES: readonly [method: string, path: RegExp, handler: Handler][] = [
  ["PUT", /^\/workspaces\/([^/]+)\/ttl$/, owned(setTimeToLive)],
  ["PUT", /^\/workspaces\/([^/]+)\/favorite$/, owned(markFavorite)],
  ["PUT", /^\/workspaces\/([^/]+)\/extend$/, owned(extend)],
  ["PATCH", /^\/workspaces\/([^/]+)\/acl$/, owned(changeAcl)],
  ["GET", /^\/organizations\/([^/]+)\/groups\/([^/]+)$/, group],
];

function owned(change: (workspace: WorkspaceRecord, body: unknown, state: StandInState) => Reply): Handler {
  return (state, { body }, id) => {
    const found = state.workspaces.find((workspace) => workspace.id === id);
    if (found === undefined) return notFound;
    if (found.isDeleted) return failure(410, `Workspace ${id} was deleted.`);
    return found.ownerId === state.me.id ? change(found, body, state) : notFound;
  };
}

function setTimeToLive(workspace: WorkspaceRecord, body: unknown): Reply {
  const ttlMs = (body as { ttl_ms?: number } | undefined)?.ttl_ms ?? 0;
  if (workspace.template.spec.allowUserAutostop === false)
    return failure(400, "Custom autostop TTL is not allowed for workspaces using this template.");
  if (ttlMs < MINUTE_MS || ttlMs > MAX_TTL_MS)
    return failure(400, "Invalid workspace time until shutdown.", "between one minute and 30 days");
  workspace.ttlMs = Math.floor(ttlMs / MINUTE_MS) * MINUTE_MS;
  return noContent;
}

function markFavorite(workspace: WorkspaceRecord): Reply {
  workspace.isFavorite = true;
  return noContent;
}

function extend(workspace: WorkspaceRecord, body: unknown): Reply {
  const build = latestBuild(workspace);
  if (build.transition !== "start") return failure(409, "Workspace is not started");
  if (isActive(build)) return failure(409, "Workspace is still starting");
  const deadlineMs = Date.parse((body as { deadline?: string } | undefined)?.deadline ?? "");
  if (!(deadlineMs >= Date.now() + 30 * MINUTE_MS))
    return failure(400, "Cannot extend workspace", "new deadline must be at least 30 minutes in the future");
  workspace.deadlineMs = deadlineMs;
  return { status: 200, body: { message: `Deadline updated to ${new Date(deadlineMs).toISOString()}.` } };
}

function changeAcl(workspace: WorkspaceRecord, body: unknown, state: StandInState): Reply {
  if (state.faults.isSharingDisabled) return failure(403, "Workspace sharing is disabled.");
  const roles = (body as { group_roles?: Record<string, string> } | undefined)?.group_roles ?? {};
  for (const [id, role] of Object.entries(roles)) {
    if (![...state.groups.values()].includes(id))
      return failure(400, "Invalid request to update workspace ACL.");
    if (!["use", "admin", ""].includes(role)) return failure(400, `Invalid role ${role}.`);
    if (role === "") workspace.groupRoles.delete(id);
    else workspace.groupRoles.set(id, role);
  }
  return noContent;
}

function group(state: StandInState, _: Call, organization = "", name = ""): Reply {
  const isKnown = [...state.organizations.values()].includes(organization);
  const id = isKnown ? state.groups.get(name) : undefined;
  return id === undefined ? notFound : { status: 200, body: { id, name, organization_id: organization } };
}
