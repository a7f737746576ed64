import { randomUUID } from "node:crypto";
import { agentState } from "./stand-in-agent.ts";
import { failure, type Reply } from "./stand-in-call.ts";
import type { Template, WorkspaceRecord } from "./stand-in-model.ts";
import type { StandInState } from "./stand-in-model.ts";

/** The system user that owns prebuilds until they are claimed (queries/prebuilds.sql of coder/coder). */
const PREBUILDS_OWNER = "c42fdf75-3097-471c-8c33-fb52454d81c0";

export function isPooled({ ownerId }: Pick<WorkspaceRecord, "ownerId">): boolean {
  return ownerId === PREBUILDS_OWNER;
}

/** Reconciles the pools as the deployment does: each preset gets its number of unclaimed prebuilds. */
export function fillPools(state: StandInState): void {
  for (const template of state.templates)
    for (const preset of template.presets) {
      const pooled = state.workspaces.filter(
        (workspace) =>
          !workspace.isDeleted && isPooled(workspace) && workspace.builds[0]?.presetId === preset.id,
      );
      for (let missing = (preset.prebuilds ?? 0) - pooled.length; missing > 0; missing -= 1)
        state.addWorkspace({
          name: `prebuilt-${randomUUID().slice(0, 8)}`,
          template,
          parameters: withDefaults(template, preset.parameters),
          presetId: preset.id,
          ttlMs: null,
          ownerId: PREBUILDS_OWNER,
          createdMs: Date.now() - preset.prebuildAgeMs,
        });
    }
}

function withDefaults(template: Template, given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    template.spec.parameters.map(({ name, defaultValue }) => [name, given[name] ?? defaultValue ?? ""]),
  );
}

/**
 * Returns the preset that the server chooses if the request names none: of the presets whose parameters are all among the given
 * values, the one with most parameters. A preset without parameters matches every create (`FindMatchingPresetID`).
 */
export function matchingPreset(
  template: Template,
  values: Readonly<Record<string, string>>,
): Template["presets"][number] | undefined {
  return template.presets
    .filter(({ parameters }) => Object.entries(parameters).every(([name, value]) => values[name] === value))
    .toSorted((a, b) => Object.keys(b.parameters).length - Object.keys(a.parameters).length)[0];
}

/** Returns the oldest prebuild of the preset that may be claimed: its build is done and all its agents are ready. */
export function claimable(state: StandInState, presetId: string): WorkspaceRecord | undefined {
  return state.workspaces
    .filter((workspace) => {
      const [build] = workspace.builds;
      if (workspace.isDeleted || !isPooled(workspace) || build?.presetId !== presetId) return false;
      return (
        build.job === "succeeded" && agentState(workspace, build, state.timings).lifecycle_state === "ready"
      );
    })
    .toSorted((a, b) => a.createdMs - b.createdMs)[0];
}

/**
 * Claims a prebuild. A claim is not a first build: a parameter that is not mutable must keep the value stored with the prebuild,
 * including defaults. Otherwise the transaction rolls back, and the prebuild stays in the pool.
 */
export function claim(
  state: StandInState,
  prebuild: WorkspaceRecord,
  request: { name: string; parameters: Record<string, string>; ttlMs: number | null },
): Reply | null {
  const stored = prebuild.builds.at(-1)?.parameters ?? {};
  const changed = prebuild.template.spec.parameters.find(
    ({ name, mutable }) => mutable !== true && request.parameters[name] !== stored[name],
  );
  if (changed !== undefined)
    return failure(
      400,
      "Immutable parameter changed",
      `Parameter "${changed.name}" is not mutable, so it can't be updated after creating a workspace.`,
    );
  prebuild.ownerId = state.me.id;
  prebuild.name = request.name;
  prebuild.ttlMs = request.ttlMs;
  const build = state.addBuild(prebuild, "start");
  build.parameters = request.parameters;
  return null;
}
