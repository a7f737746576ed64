import { workspaceJson } from "./stand-in-json.ts";
import type { Template } from "./stand-in-model.ts";
import { type Call, failure, findByName, type Reply } from "./stand-in-call.ts";
import { claim, claimable, matchingPreset } from "./stand-in-prebuilds.ts";
import { type StandInState, templateVersions } from "./stand-in-model.ts";

/** coder/coder codersdk/name.go */
const NAME = /^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$/;
const MAX_TTL_MS = 30 * 24 * 3_600_000;

interface CreateBody {
  name?: string;
  template_id?: string;
  template_version_id?: string;
  template_version_preset_id?: string;
  ttl_ms?: number;
  automatic_updates?: string;
  rich_parameter_values?: { name: string; value: string }[];
}

/** POST /users/me/workspaces: the checks in the order of the real server, conflict last. */
export function createWorkspace(state: StandInState, call: Call): Reply {
  const body = (call.body ?? {}) as CreateBody;
  const name = body.name ?? "";
  if (!NAME.test(name) || name.length > 32 || name === "new" || name === "create")
    return invalid("name", 'Validation failed for tag "username" with value: ' + name);
  if ((body.template_id === undefined) === (body.template_version_id === undefined))
    return invalid("template_id", "exactly one of template_id and template_version_id must be given");
  if (body.ttl_ms !== undefined && (body.ttl_ms < 60_000 || body.ttl_ms > MAX_TTL_MS))
    return invalid("ttl_ms", "time until shutdown must be between one minute and 30 days");
  const template = templateVersions(state).find(
    ({ id, versionId }) => id === body.template_id || versionId === body.template_version_id,
  );
  if (template === undefined) return invalid("template_version_id", "template not found");
  if (template.spec.importing === true)
    return failure(406, "The provided template version is running. Wait for it to complete importing!");
  if (template.spec.deprecated === true) return failure(400, "Template has been deprecated.");
  const missing = (template.spec.externalAuth ?? []).find(
    (auth) => !auth.authenticated && auth.optional !== true,
  );
  if (missing !== undefined)
    return failure(403, `External authentication is required to create a workspace.`);
  return withParameters(state, template, body, name);
}

function withParameters(state: StandInState, template: Template, body: CreateBody, name: string): Reply {
  const values = Object.fromEntries(
    (body.rich_parameter_values ?? []).map(({ name, value }) => [name, value]),
  );
  const named = template.presets.find(({ id }) => id === body.template_version_preset_id);
  if (body.template_version_preset_id !== undefined && named === undefined)
    return failure(400, "Preset not found.");
  const preset = named ?? matchingPreset(template, values);
  const given = { ...values, ...preset?.parameters };
  const parameters: Record<string, string> = {};
  for (const parameter of template.spec.parameters) {
    const value =
      given[parameter.name] ?? (parameter.required === true ? undefined : (parameter.defaultValue ?? ""));
    const isOption =
      parameter.options === undefined || (value !== undefined && parameter.options.includes(value));
    if (value === undefined || !isOption)
      return failure(400, `Unable to validate parameter "${parameter.name}"`);
    parameters[parameter.name] = value;
  }
  const unknown = Object.keys(given).find((key) => !(key in parameters));
  if (unknown !== undefined) return failure(400, `Unable to validate parameter "${unknown}"`);
  if (findByName(state, name) !== undefined) return conflict(state, name);
  const ttlMs = body.ttl_ms === undefined ? null : Math.floor(body.ttl_ms / 60_000) * 60_000;
  const prebuild = preset === undefined ? undefined : claimable(state, preset.id);
  if (prebuild !== undefined) {
    const refusal = claim(state, prebuild, { name, parameters, ttlMs });
    return refusal ?? { status: 201, body: workspaceJson(prebuild, state) };
  }
  const workspace = state.addWorkspace({ name, template, parameters, presetId: preset?.id ?? null, ttlMs });
  return { status: 201, body: workspaceJson(workspace, state) };
}

function conflict(state: StandInState, name: string): Reply {
  if (state.faults.uniqueIndexRace)
    return failure(
      500,
      "Internal server error",
      'execute transaction: insert workspace: pq: duplicate key value violates unique constraint "workspaces_owner_id_lower_idx"',
    );
  return {
    status: 409,
    body: {
      message: `Workspace "${name}" already exists.`,
      validations: [{ field: "name", detail: "This value is already in use and should be unique." }],
    },
  };
}

function invalid(field: string, detail: string): Reply {
  return { status: 400, body: { message: "Validation failed.", validations: [{ field, detail }] } };
}
