import { agentState } from "./stand-in-agent.ts";
import { isPooled } from "./stand-in-prebuilds.ts";
import type { BuildRecord, Template, WorkspaceRecord } from "./stand-in-model.ts";
import { latestBuild } from "./stand-in-state.ts";
import type { StandInState } from "./stand-in-model.ts";

const iso = (epochMs: number): string => new Date(epochMs).toISOString().replace("Z", "123456Z");
const isoOrNothing = (key: string, epochMs: number | null): Record<string, string> =>
  epochMs === null ? {} : { [key]: iso(epochMs) };

export function workspaceJson(workspace: WorkspaceRecord, state: StandInState): unknown {
  return {
    id: workspace.id,
    name: workspace.name,
    owner_id: workspace.ownerId,
    owner_name: workspace.ownerId === state.me.id ? state.me.username : "somebody-else",
    organization_id: workspace.template.organizationId,
    template_id: workspace.template.id,
    template_name: workspace.template.spec.name,
    created_at: iso(workspace.createdMs),
    updated_at: iso(workspace.createdMs),
    last_used_at: iso(workspace.createdMs),
    ...(workspace.ttlMs === null ? {} : { ttl_ms: workspace.ttlMs }),
    deleting_at: null,
    dormant_at: null,
    outdated: false,
    automatic_updates: "never",
    favorite: workspace.isFavorite,
    is_prebuild: isPooled(workspace),
    task_id: null,
    health: { healthy: true, failing_agents: [] },
    latest_build: buildJson(workspace, latestBuild(workspace), state),
  };
}

export function buildJson(workspace: WorkspaceRecord, build: BuildRecord, state: StandInState): unknown {
  return {
    id: build.id,
    workspace_id: workspace.id,
    build_number: build.number,
    transition: build.transition,
    initiator_id: build.initiatorId,
    status: statusOf(build),
    reason: "initiator",
    created_at: iso(build.createdMs),
    deadline: workspace.deadlineMs === null ? null : iso(workspace.deadlineMs),
    max_deadline: null,
    template_version_id: workspace.template.versionId,
    template_version_name: "clever_name1",
    template_version_preset_id: build.presetId,
    job: {
      id: build.jobId,
      status: build.job,
      ...(build.error === null ? {} : { error: build.error }),
      ...(build.errorCode === null ? {} : { error_code: build.errorCode }),
      created_at: iso(build.createdMs),
      ...isoOrNothing("started_at", build.startedMs),
      ...isoOrNothing("completed_at", build.completedMs),
      ...isoOrNothing("canceled_at", build.canceledMs),
      queue_position: 0,
      queue_size: 0,
    },
    matched_provisioners:
      build.outcome === "stuck-pending"
        ? { count: 0, available: 0, most_recently_seen: null }
        : { count: 1, available: 1, most_recently_seen: iso(build.createdMs) },
    resources:
      build.transition === "start" && build.job === "succeeded" ? resources(workspace, build, state) : [],
  };
}

/** Returns the status of a build: as in provisionerdaemons.go, a failed job is `failed` for any transition. */
function statusOf(build: BuildRecord): string {
  const verbs = {
    start: ["starting", "running"],
    stop: ["stopping", "stopped"],
    delete: ["deleting", "deleted"],
  } as const;
  const [during, after] = verbs[build.transition];
  if (build.job === "running") return during;
  return build.job === "succeeded" ? after : build.job;
}

function agentJson(workspace: WorkspaceRecord, build: BuildRecord, state: StandInState): object {
  const { startedMs, ...said } = agentState(workspace, build, state.timings);
  return { ...said, ...isoOrNothing("started_at", startedMs) };
}

/** Returns the resources with an additional devcontainer sub-agent, which the adapter has to ignore. */
function resources(workspace: WorkspaceRecord, build: BuildRecord, state: StandInState): unknown {
  const agents = workspace.agents.map((agent) => ({
    id: agent.id,
    parent_id: null,
    name: agent.name,
    ...agentJson(workspace, build, state),
    directory: workspace.home,
    expanded_directory: workspace.home,
    health: { healthy: true },
    version: "v2.35.1+8b44bd6",
    operating_system: "linux",
    architecture: "amd64",
    connection_timeout_seconds: workspace.template.spec.connectionTimeoutS ?? 120,
    environment_variables: { TEMPLATE_SECRET: "secret-of-the-template" },
    scripts: [{ start_blocks_login: true, display_name: "prepare" }],
  }));
  const [first] = workspace.agents;
  const subAgent = { ...agents[0], id: workspace.id, parent_id: first?.id ?? null, name: "devcontainer" };
  return [
    { id: build.jobId, type: "null_resource", name: "nothing", workspace_transition: "start", daily_cost: 0 },
    {
      id: build.id,
      type: "docker_container",
      name: "workspace",
      workspace_transition: "start",
      daily_cost: 0,
      agents: [...agents, subAgent],
    },
  ];
}

export function templateJson({ id, versionId, organizationId, spec }: Template): unknown {
  return {
    id,
    name: spec.name,
    display_name: "",
    organization_id: organizationId,
    organization_name: spec.organization,
    active_version_id: versionId,
    allow_user_cancel_workspace_jobs: spec.allowUserCancel ?? false,
    default_ttl_ms: 3_600_000,
    activity_bump_ms: 3_600_000,
    failure_ttl_ms: spec.schedule?.failureMs ?? 0,
    time_til_dormant_ms: spec.schedule?.dormantMs ?? 0,
    time_til_dormant_autodelete_ms: spec.schedule?.autodeleteMs ?? 0,
    deprecated: spec.deprecated ?? false,
    deprecation_message: spec.deprecationMessage ?? "",
  };
}

/**
 * Returns the presets with keys in PascalCase, because codersdk/presets.go has no JSON tags; an empty Go slice is sent as null.
 */
export function presetsJson(template: Template): unknown {
  if (template.presets.length === 0) return null;
  return template.presets.map((preset) => ({
    ID: preset.id,
    Name: preset.name,
    Parameters: Object.entries(preset.parameters).map(([Name, Value]) => ({ Name, Value })),
    Default: preset.isDefault,
    DesiredPrebuildInstances: preset.prebuilds,
    Description: "",
    Icon: "",
  }));
}

export function parametersJson(template: Template): unknown {
  return template.spec.parameters.map((parameter) => ({
    name: parameter.name,
    display_name: "",
    description: "",
    description_plaintext: "",
    type: "string",
    mutable: parameter.mutable ?? false,
    default_value: parameter.defaultValue ?? "",
    icon: "",
    options: (parameter.options ?? []).map((value) => ({ name: value, description: "", value, icon: "" })),
    required: parameter.required ?? false,
    ephemeral: parameter.ephemeral ?? false,
  }));
}

export function externalAuthJson(template: Template, url: string): unknown {
  return (template.spec.externalAuth ?? []).map(({ id, authenticated, optional }) => ({
    id,
    type: "github",
    display_name: id,
    display_icon: "",
    authenticate_url: `${url}/external-auth/${id}`,
    authenticated,
    optional,
  }));
}
