import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type BuildRecord,
  type CoderFaults,
  type StandInState,
  type StandInTimings,
  type Template,
  type TemplateSpec,
  type WorkspaceRecord,
} from "./stand-in-model.ts";
import { claimable, fillPools, isPooled } from "./stand-in-prebuilds.ts";
import { killProcessesOfMachines } from "./stand-in-processes.ts";

export function createState(
  directory: string,
  specs: TemplateSpec[],
  faults: CoderFaults,
  timings: StandInTimings,
): StandInState {
  const organizations = new Map<string, string>();
  for (const spec of specs) {
    const name = spec.organization ?? "coder";
    if (!organizations.has(name)) organizations.set(name, randomUUID());
  }
  const me = { id: randomUUID(), username: "triage-bot" };
  const workspaces: WorkspaceRecord[] = [];
  let peak = 0;
  const notePeak = (): void => void (peak = Math.max(peak, workspaces.filter(usesMachine).length));
  const state: StandInState = {
    me,
    peakRunning: () => peak,
    organizations,
    notifications: [],
    gatewaySessions: [],
    groups: new Map([["maintainers", randomUUID()]]),
    templates: specs.map((spec) => templateOf(spec, organizations)),
    workspaces,
    faults,
    timings,
    settle: () => {
      fillPools(state);
      workspaces.forEach((workspace) => settleWorkspace(workspace, state));
    },
    claimableCount: () =>
      state.templates.flatMap(({ presets }) => presets).filter(({ id }) => claimable(state, id) !== undefined)
        .length,
    addWorkspace: (request) => {
      const id = randomUUID();
      const workspace: WorkspaceRecord = {
        id,
        name: request.name,
        ownerId: request.ownerId ?? me.id,
        template: request.template,
        createdMs: request.createdMs ?? Date.now(),
        ttlMs: request.ttlMs,
        isDeleted: false,
        isFavorite: false,
        deadlineMs: null,
        groupRoles: new Map(),
        builds: [],
        agents: request.template.spec.agents.map((name) => ({ id: randomUUID(), name })),
        reinitialiseMs: null,
        reachedSince: null,
        home: join(directory, "machines", id),
      };
      workspaces.push(workspace);
      const build = state.addBuild(workspace, "start");
      build.parameters = request.parameters;
      build.presetId = request.presetId;
      return workspace;
    },
    addBuild: (workspace, transition, initiatorId = workspace.ownerId) => {
      const last = workspace.builds.at(-1);
      const waitsForQuota = transition === "start" && faults.quotaWaits > 0 && !isPooled(workspace);
      if (waitsForQuota) faults.quotaWaits -= 1;
      const outcome = waitsForQuota ? "quota-wait" : faults.startBuild;
      const build: BuildRecord = {
        id: randomUUID(),
        number: workspace.builds.length + 1,
        transition,
        initiatorId,
        jobId: randomUUID(),
        parameters: last?.parameters ?? {},
        presetId: last?.presetId ?? null,
        createdMs: Date.now(),
        startedMs: null,
        completedMs: null,
        canceledMs: null,
        job: "pending",
        error: null,
        errorCode: null,
        outcome: transition === "start" && !isPooled(workspace) ? outcome : "succeeds",
        startup: faults.startup,
      };
      workspace.builds.push(build);
      notePeak();
      return build;
    },
    dispose: () => tearDown(workspaces),
  };
  return state;
}

export function latestBuild(workspace: WorkspaceRecord): BuildRecord {
  const build = workspace.builds.at(-1);
  if (build === undefined) throw new Error(`Coder workspace ${workspace.name} has no build`);
  return build;
}

export function isActive(build: BuildRecord): boolean {
  return build.job === "pending" || build.job === "running" || build.job === "canceling";
}

function settleWorkspace(workspace: WorkspaceRecord, state: StandInState): void {
  if (workspace.isDeleted) return;
  const build = latestBuild(workspace);
  const { timings } = state;
  if (build.job === "pending" && build.outcome !== "stuck-pending")
    if (Date.now() >= build.createdMs + timings.queueMs) {
      build.job = "running";
      build.startedMs = build.createdMs + timings.queueMs;
    }
  if (build.job === "canceling" && Date.now() >= (build.canceledMs ?? 0) + timings.cancelMs)
    complete(build, "canceled", "canceled", null);
  if (build.job !== "running" || build.outcome === "stuck-running") return;
  const durationMs = {
    start: timings.buildMs,
    stop: timings.stopMs,
    delete: timings.deleteMs,
  }[build.transition];
  if (Date.now() < (build.startedMs ?? 0) + durationMs) return;
  finish(workspace, build, state);
}

function finish(workspace: WorkspaceRecord, build: BuildRecord, { faults, timings }: StandInState): void {
  if (build.outcome === "fails") return complete(build, "failed", faults.buildError, null);
  if (build.outcome === "quota") return complete(build, "failed", "insufficient quota", "INSUFFICIENT_QUOTA");
  if (build.outcome === "quota-wait") return complete(build, "failed", "Failed to commit quota", null);
  if (build.transition === "stop" && faults.failingStops > 0) {
    faults.failingStops -= 1;
    return complete(build, "failed", "terraform apply: exit status 1", null);
  }
  if (build.transition === "delete" && faults.failingDeletes > 0) {
    faults.failingDeletes -= 1;
    return complete(build, "failed", "terraform apply: exit status 1", null);
  }
  complete(build, "succeeded", null, null);
  // This build is a claim: the prebuild's Coder workspace agent keeps running, and restarts a moment later.
  if (build.transition === "start" && build.number > 1)
    workspace.reinitialiseMs = Date.now() + timings.reinitMs;
  if (build.transition === "start")
    for (const place of [workspace.home, tmuxDirectory(workspace)])
      mkdirSync(place, { recursive: true, mode: 0o700 });
  // The machines are containers without a volume, so a stop deletes their files.
  if (build.transition === "stop") tearDown([workspace]);
  if (build.transition === "delete") {
    workspace.isDeleted = true;
    tearDown([workspace]);
  }
}

function complete(
  build: BuildRecord,
  job: BuildRecord["job"],
  error: string | null,
  code: string | null,
): void {
  build.job = job;
  build.error = error;
  build.errorCode = code;
  build.completedMs = Date.now();
}

/** Returns the variable that every process of the machine has in its environment. */
export function machineMark(workspace: WorkspaceRecord): string {
  return `CODER_WORKSPACE_ID=${workspace.id}`;
}

/** Returns the machine's own directory for tmux; below HOME the paths of tmux's sockets would be too long. */
export function tmuxDirectory({ home, id }: WorkspaceRecord): string {
  return join(dirname(dirname(home)), id.slice(0, 8));
}

/** Returns whether the Coder workspace has a machine; it keeps it until a stop or delete has succeeded. */
function usesMachine(workspace: WorkspaceRecord): boolean {
  if (workspace.isDeleted || isPooled(workspace)) return false;
  const ofStart = workspace.builds.findLastIndex(({ transition }) => transition === "start");
  return !workspace.builds
    .slice(ofStart)
    .some(({ transition, job }) => transition === "stop" && job === "succeeded");
}

function tearDown(workspaces: readonly WorkspaceRecord[]): void {
  // A machine without any connection has never run a process.
  killProcessesOfMachines(
    workspaces.flatMap((workspace) => {
      const { home: directory, reachedSince: since } = workspace;
      return since === null ? [] : [{ mark: machineMark(workspace), directory, since }];
    }),
  );
  for (const workspace of workspaces)
    for (const place of [workspace.home, tmuxDirectory(workspace)]) if (existsSync(place)) remove(place);
}

/**
 * Removes a directory in this process, because starting another takes longer. Only `rm` can remove trees deeper than the longest
 * path.
 */
function remove(place: string): void {
  try {
    rmSync(place, { recursive: true, force: true });
  } catch {
    spawnSync("/bin/rm", ["-rf", "--", place]);
  }
}

function templateOf(spec: TemplateSpec, organizations: ReadonlyMap<string, string>): Template {
  const organization = spec.organization ?? "coder";
  return {
    id: randomUUID(),
    versionId: randomUUID(),
    organizationId: organizations.get(organization) ?? "",
    spec: { ...spec, organization, agents: spec.agents ?? ["main"], parameters: spec.parameters ?? [] },
    presets: (spec.presets ?? []).map((preset) => ({
      id: randomUUID(),
      name: preset.name,
      isDefault: preset.isDefault ?? false,
      parameters: preset.parameters ?? {},
      prebuilds: preset.prebuilds ?? null,
      prebuildAgeMs: preset.prebuildAgeMs ?? 0,
    })),
  };
}
