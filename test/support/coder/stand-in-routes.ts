import type { Template, WorkspaceRecord } from "./stand-in-model.ts";
import {
  buildJson,
  externalAuthJson,
  parametersJson,
  presetsJson,
  templateJson,
  workspaceJson,
} from "./stand-in-json.ts";
import { type Call, failure, findByName, type Reply } from "./stand-in-call.ts";
import { INSPECTION_ROUTES } from "./stand-in-inspection.ts";
import { createWorkspace } from "./stand-in-create.ts";
import { isActive, latestBuild } from "./stand-in-state.ts";
import { type StandInState, templateVersions } from "./stand-in-model.ts";

type Handler = (state: StandInState, call: Call, ...captures: string[]) => Reply;

const notFound = failure(404, "Resource not found or you do not have access to this resource");

const ROUTES: readonly [method: string, path: RegExp, handler: Handler][] = [
  ["GET", /^\/users\/me$/, me],
  ["GET", /^\/entitlements$/, entitlements],
  ["GET", /^\/notifications\/templates\/system$/, notificationTemplates],
  ["GET", /^\/users\/me\/notifications\/preferences$/, notificationPreferences],
  ["GET", /^\/templates$/, templates],
  ["GET", /^\/organizations\/[^/]+\/members\/[^/]+\/workspace-quota$/, quota],
  ["GET", /^\/organizations\/([^/]+)\/templates\/([^/]+)$/, organizationTemplate],
  ["GET", /^\/templateversions\/([^/]+)\/presets$/, ofVersion(presetsJson)],
  ["GET", /^\/templateversions\/([^/]+)\/rich-parameters$/, ofVersion(parametersJson)],
  ["GET", /^\/templateversions\/([^/]+)\/external-auth$/, ofVersion(externalAuthJson)],
  ["POST", /^\/users\/me\/workspaces$/, createWorkspace],
  ["GET", /^\/users\/me\/workspace\/([^/]+)$/, workspaceByName],
  ["GET", /^\/workspaces$/, listWorkspaces],
  ["GET", /^\/workspaces\/([^/]+)$/, workspaceById],
  ["POST", /^\/workspaces\/([^/]+)\/builds$/, startBuild],
  ["GET", /^\/workspaces\/([^/]+)\/builds$/, listBuilds],
  ["GET", /^\/workspacebuilds\/([^/]+)$/, build],
  ["GET", /^\/workspacebuilds\/([^/]+)\/parameters$/, buildParameters],
  ["GET", /^\/workspacebuilds\/([^/]+)\/logs$/, buildLogs],
  ["PATCH", /^\/workspacebuilds\/([^/]+)\/cancel$/, cancelBuild],
  ["GET", /^\/workspaceagents\/([^/]+)\/logs$/, agentLogs],
  ...INSPECTION_ROUTES,
];

export function answer(state: StandInState, call: Call): Reply {
  for (const [method, path, handler] of ROUTES) {
    const match = path.exec(call.path);
    if (match !== null && method === call.method) return handler(state, call, ...match.slice(1));
  }
  return failure(404, "Route not found.");
}

function me(state: StandInState): Reply {
  const { id, username } = state.me;
  return {
    status: 200,
    body: { id, username, organization_ids: [...state.organizations.values()], roles: [{ name: "member" }] },
  };
}

function entitlements({ faults }: StandInState): Reply {
  const enabled = faults.isPremium;
  const feature = { entitlement: enabled ? "entitled" : "not_entitled", enabled };
  return {
    status: 200,
    body: { features: { advanced_template_scheduling: feature }, has_license: enabled, warnings: [] },
  };
}

function quota({ faults }: StandInState): Reply {
  return faults.quota === null ? notFound : { status: 200, body: faults.quota };
}

function notificationTemplates({ notifications }: StandInState): Reply {
  const body = notifications.map(({ id, name, isDefault }) => ({ id, name, enabled_by_default: isDefault }));
  return { status: 200, body };
}

/** Returns only the user's own choices; an empty Go slice is sent as null. */
function notificationPreferences({ notifications }: StandInState): Reply {
  const chosen = notifications.filter(({ disabled }) => disabled !== null);
  const body = chosen.map(({ id, disabled }) => ({ id, disabled, updated_at: "2026-11-22T00:00:00Z" }));
  return { status: 200, body: body.length === 0 ? null : body };
}

function templates(state: StandInState, { query }: Call): Reply {
  const wanted = /^exact_name:(.*)$/.exec(query.get("q") ?? "")?.[1];
  return {
    status: 200,
    body: state.templates
      .filter(({ spec }) => wanted === undefined || spec.name === wanted)
      .map(templateJson),
  };
}

function organizationTemplate(state: StandInState, _: Call, organization = "", name = ""): Reply {
  const found = state.templates.find(
    ({ spec, organizationId }) =>
      spec.name === name && (spec.organization === organization || organizationId === organization),
  );
  return found === undefined ? notFound : { status: 200, body: templateJson(found) };
}

function ofVersion(json: (template: Template, url: string) => unknown): Handler {
  return (state, { url }, versionId) => {
    const template = templateVersions(state).find((each) => each.versionId === versionId);
    return template === undefined ? notFound : { status: 200, body: json(template, url) };
  };
}

function workspaceByName(state: StandInState, _: Call, name = ""): Reply {
  const found = findByName(state, name);
  return found === undefined ? notFound : { status: 200, body: workspaceJson(found, state) };
}

/** Lists Coder workspaces: `name:` is ILIKE %x%; `template:` and `owner:` are exact. A bare word is a name. */
function listWorkspaces(state: StandInState, { query }: Call): Reply {
  let found = state.workspaces.filter((workspace) => !workspace.isDeleted);
  const search = state.faults.lenientSearch ? "" : (query.get("q") ?? "");
  for (const term of search.split(/\s+/).filter(Boolean)) {
    const [key = "", value = ""] = term.includes(":") ? term.split(":") : ["name", term];
    if (key === "owner" && value === "me") found = found.filter(({ ownerId }) => ownerId === state.me.id);
    else if (key === "template") found = found.filter(({ template }) => template.spec.name === value);
    else if (key === "name")
      found = found.filter(({ name }) => name.toLowerCase().includes(value.toLowerCase()));
    else return failure(400, "Invalid workspace search query.", `unsupported term ${term}`);
  }
  const offset = Number(query.get("offset") ?? 0);
  const limit = Number(query.get("limit") ?? 0);
  const page = limit === 0 ? found.slice(offset) : found.slice(offset, offset + limit);
  return {
    status: 200,
    body: { workspaces: page.map((workspace) => workspaceJson(workspace, state)), count: found.length },
  };
}

function workspaceById(state: StandInState, { query }: Call, id = ""): Reply {
  const found = state.workspaces.find((workspace) => workspace.id === id);
  if (found === undefined) return notFound;
  if (found.isDeleted && query.get("include_deleted") !== "true")
    return failure(410, `Workspace ${id} was deleted.`);
  return { status: 200, body: workspaceJson(found, state) };
}

function startBuild(state: StandInState, { body }: Call, id = ""): Reply {
  const workspace = state.workspaces.find((workspace) => workspace.id === id);
  const transition = (body as { transition?: unknown } | null)?.transition;
  if (workspace === undefined) return notFound;
  if (transition !== "start" && transition !== "stop" && transition !== "delete")
    return {
      status: 400,
      body: {
        message: "Validation failed.",
        validations: [{ field: "transition", detail: 'Validation failed for tag "oneof"' }],
      },
    };
  if ((body as { orphan?: boolean }).orphan === true)
    return failure(403, "Only template managers may provide custom state");
  if (state.faults.deleteForbidden && transition === "delete") return failure(403, "Forbidden.");
  if (isActive(latestBuild(workspace)))
    return failure(409, "A workspace build is already active.", "A workspace build is already active.");
  return { status: 201, body: buildJson(workspace, state.addBuild(workspace, transition), state) };
}

/** Newest first. */
function listBuilds(state: StandInState, _: Call, id = ""): Reply {
  const workspace = state.workspaces.find((workspace) => workspace.id === id);
  if (workspace === undefined) return notFound;
  const builds = workspace.builds.toReversed().map((each) => buildJson(workspace, each, state));
  return { status: 200, body: builds };
}

function withBuild(
  state: StandInState,
  buildId: string,
  reply: (workspace: WorkspaceRecord, build: ReturnType<typeof latestBuild>) => Reply,
): Reply {
  for (const workspace of state.workspaces) {
    const build = workspace.builds.find(({ id }) => id === buildId);
    if (build !== undefined) return reply(workspace, build);
  }
  return notFound;
}

function build(state: StandInState, _: Call, id = ""): Reply {
  return withBuild(state, id, (workspace, found) => ({
    status: 200,
    body: buildJson(workspace, found, state),
  }));
}

function buildParameters(state: StandInState, _: Call, id = ""): Reply {
  return withBuild(state, id, (workspace, { parameters }) => {
    const ephemeral = new Set(
      workspace.template.spec.parameters.filter(({ ephemeral }) => ephemeral).map(({ name }) => name),
    );
    return {
      status: 200,
      body: Object.entries(parameters)
        .filter(([name]) => !ephemeral.has(name))
        .map(([name, value]) => ({ name, value })),
    };
  });
}

function buildLogs(state: StandInState, _: Call, id = ""): Reply {
  return withBuild(state, id, (_workspace, { error }) => ({
    status: 200,
    body: ["Setting up", "Planning Infrastructure", ...(error === null ? [] : [`Error: ${error}`])].map(
      (output, index) => ({
        id: index + 1,
        created_at: new Date().toISOString(),
        log_source: "provisioner",
        log_level: index < 2 ? "info" : "error",
        stage: "Starting workspace",
        output,
      }),
    ),
  }));
}

/**
 * Cancels a build. As in workspacebuilds.go, `expect_status=pending` needs no permission; any other cancel must be allowed by the
 * template.
 */
function cancelBuild(state: StandInState, { query }: Call, id = ""): Reply {
  return withBuild(state, id, (workspace, found) => {
    const expected = query.get("expect_status");
    if (expected !== null && expected !== "pending" && expected !== "running")
      return failure(400, `Invalid expect_status "${expected}".`);
    if (workspace.template.spec.allowUserCancel !== true && expected !== "pending")
      return failure(403, "User is not allowed to cancel workspace builds. Owner role is required.");
    if (found.completedMs !== null) return failure(400, "Job has already completed!");
    if (found.canceledMs !== null) return failure(400, "Job has already been marked as canceled!");
    if (expected !== null && expected !== found.job)
      return failure(412, "Job is not in the expected state.", `expected ${expected}, got ${found.job}`);
    found.canceledMs = Date.now();
    if (found.job === "pending") found.completedMs = Date.now();
    found.job = found.job === "pending" ? "canceled" : "canceling";
    return { status: 200, body: { message: "Job has been marked as canceled..." } };
  });
}

function agentLogs(state: StandInState, _: Call, id = ""): Reply {
  const workspace = state.workspaces.find(({ agents }) => agents.some((agent) => agent.id === id));
  if (workspace === undefined) return notFound;
  return {
    status: 200,
    body: ["cloning", "npm ci", "npm: command not found"].map((output, index) => ({
      id: index + 1,
      created_at: new Date().toISOString(),
      output,
      level: "info",
      source_id: id,
    })),
  };
}
