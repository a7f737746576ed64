import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  type BuildRecord,
  type CoderFaults,
  type StandInTimings,
  type Template,
  type TemplateSpec,
  type Transition,
  type WorkspaceRecord,
} from "./stand-in-model.ts";
import { killProcessesCarrying } from "./stand-in-processes.ts";

/** The deployment's memory. Time passes only in `settle`, which every request calls first. */
export interface StandInState {
  readonly me: { id: string; username: string };
  readonly organizations: Map<string, string>;
  readonly templates: Template[];
  readonly workspaces: WorkspaceRecord[];
  readonly faults: CoderFaults;
  readonly timings: StandInTimings;
  settle(): void;
  addWorkspace(workspace: NewWorkspace): WorkspaceRecord;
  addBuild(workspace: WorkspaceRecord, transition: Transition): BuildRecord;
  dispose(): void;
}

export interface NewWorkspace {
  name: string;
  template: Template;
  parameters: Record<string, string>;
  presetId: string | null;
  ttlMs: number | null;
  ownerId?: string;
  createdMs?: number;
}

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
  const state: StandInState = {
    me,
    organizations,
    templates: specs.map((spec) => templateOf(spec, organizations)),
    workspaces,
    faults,
    timings,
    settle: () => workspaces.forEach((workspace) => settleWorkspace(workspace, state)),
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
        builds: [],
        agents: request.template.spec.agents.map((name) => ({ id: randomUUID(), name })),
        home: join(directory, "machines", id),
      };
      workspaces.push(workspace);
      const build = state.addBuild(workspace, "start");
      build.parameters = request.parameters;
      build.presetId = request.presetId;
      return workspace;
    },
    addBuild: (workspace, transition) => {
      const last = workspace.builds.at(-1);
      const build: BuildRecord = {
        id: randomUUID(),
        number: workspace.builds.length + 1,
        transition,
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
        outcome: transition === "start" ? faults.startBuild : "succeeds",
        startup: faults.startup,
      };
      workspace.builds.push(build);
      return build;
    },
    dispose: () => workspaces.forEach(tearDown),
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
  const { timings, faults } = state;
  if (build.job === "pending" && build.outcome !== "stuck-pending")
    if (Date.now() >= build.createdMs + timings.queueMs) {
      build.job = "running";
      build.startedMs = build.createdMs + timings.queueMs;
    }
  if (build.job === "canceling" && Date.now() >= (build.canceledMs ?? 0) + timings.cancelMs)
    complete(build, "canceled", "canceled", null);
  if (build.job !== "running" || build.outcome === "stuck-running") return;
  const durationMs = build.transition === "start" ? timings.buildMs : timings.deleteMs;
  if (Date.now() < (build.startedMs ?? 0) + durationMs) return;
  finish(workspace, build, faults);
}

function finish(workspace: WorkspaceRecord, build: BuildRecord, faults: CoderFaults): void {
  if (build.outcome === "fails") return complete(build, "failed", faults.buildError, null);
  if (build.outcome === "quota") return complete(build, "failed", "insufficient quota", "INSUFFICIENT_QUOTA");
  if (build.transition === "delete" && faults.failingDeletes > 0) {
    faults.failingDeletes -= 1;
    return complete(build, "failed", "terraform apply: exit status 1", null);
  }
  complete(build, "succeeded", null, null);
  if (build.transition === "start") mkdirSync(workspace.home, { recursive: true, mode: 0o700 });
  if (build.transition === "stop") killProcessesCarrying(machineMark(workspace));
  if (build.transition === "delete") {
    workspace.isDeleted = true;
    tearDown(workspace);
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

/** Every process inside the machine carries this in its environment. */
export function machineMark(workspace: WorkspaceRecord): string {
  return `CODER_WORKSPACE_ID=${workspace.id}`;
}

function tearDown(workspace: WorkspaceRecord): void {
  killProcessesCarrying(machineMark(workspace));
  rmSync(workspace.home, { recursive: true, force: true, maxRetries: 3 });
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
    })),
  };
}
