import type { OperationalError } from "agent-tty/kit";
import type { WorkspaceErrorCode } from "../port.ts";
import type { CoderPreset, CoderTemplate, ExternalAuth, RichParameter } from "./coder-schemas.ts";
import { leaseNamesOf, RESERVED_PARAMETERS } from "./lease-parameters.ts";
import { checkClaims } from "./claim-plan.ts";
import { printable, workspaceError } from "./workspace-error.ts";
import { distance } from "fastest-levenshtein";

export interface TemplateWish {
  template: string;
  organization: string | null;
  /** The preset's name; "none"; or null for the template's own default. */
  preset: string | null;
  parameters: Readonly<Record<string, string>>;
}

/** The values that every create of the batch sends. */
export interface TemplatePlan {
  versionId: string;
  presetId: string | null;
  parameters: ReadonlyMap<string, string>;
  leaseNames: ReturnType<typeof leaseNamesOf>;
  /** Whether a create may claim a prebuilt Coder workspace. */
  isClaiming: boolean;
  warnings: string[];
}

/**
 * Returns the only one of the templates `found` that matches the settings. Throws CODER_TEMPLATE_MISSING, with the names of
 * `all`, if there is none.
 */
export function chooseTemplate(
  { template: name, organization }: TemplateWish,
  found: readonly CoderTemplate[],
  all: readonly CoderTemplate[],
): CoderTemplate {
  const [template, ...others] = found;
  if (template === undefined)
    throw workspaceError({
      code: "CODER_TEMPLATE_MISSING",
      message:
        `The Coder deployment has no template named ${name}` +
        `${organization === null ? "" : ` in the organization ${organization}`}; it has ${listed(all.map(qualifiedName))}`,
      remedy: `Push one (\`coder templates push ${name}\`) or name an existing one in \`coder.template\`.`,
    });
  if (others.length > 0)
    throw workspaceError({
      code: "CODER_TEMPLATE_MISSING",
      message: `Several organizations have a Coder template named ${name}: ${listed(found.map(organizationOf))}`,
      remedy: "Set `coder.organization` to one of them.",
    });
  return template;
}

/**
 * Returns the plan of the creates, from the facts of the active template version. Throws for everything that would make every
 * create fail.
 */
export function planTemplate(
  wish: TemplateWish,
  facts: {
    template: CoderTemplate;
    presets: readonly CoderPreset[];
    parameters: readonly RichParameter[];
    externalAuth: readonly ExternalAuth[];
  },
): TemplatePlan {
  const { template, presets, parameters, externalAuth } = facts;
  const preset = choosePreset(wish, presets);
  const leaseNames = leaseNamesOf(parameters);
  checkParameters(wish, preset, parameters, leaseNames);
  checkExternalAuth(externalAuth);
  const isClaiming = checkClaims(wish, preset, presets, parameters, leaseNames);
  return {
    versionId: template.active_version_id,
    presetId: preset?.ID ?? null,
    parameters: new Map(Object.entries(wish.parameters)),
    leaseNames,
    isClaiming,
    warnings: warningsFor(template, leaseNames),
  };
}

function choosePreset(
  { preset, template }: TemplateWish,
  presets: readonly CoderPreset[],
): CoderPreset | null {
  if (preset === "none") return null;
  if (preset === null) return presets.find(({ Default }) => Default === true) ?? null;
  const chosen = presets.find(({ Name }) => Name === preset);
  if (chosen !== undefined) return chosen;
  throw workspaceError({
    code: "CODER_PRESET_MISSING",
    message: `The Coder template ${template} has no preset named ${preset}; it has ${listed(presets.map(({ Name }) => Name))}`,
    remedy: "Set `coder.preset` to one of them, or to `none`.",
  });
}

function checkParameters(
  { template, parameters: wished }: TemplateWish,
  preset: CoderPreset | null,
  parameters: readonly RichParameter[],
  leaseNames: readonly string[],
): void {
  const names = parameters.map(({ name }) => name);
  for (const [name, value] of Object.entries(wished)) {
    const parameter = parameters.find((each) => each.name === name);
    if (RESERVED_PARAMETERS.includes(name))
      throw rejected(`\`coder.parameters\` sets ${name}, which afk-triage sets itself`, "Remove it there.");
    if (parameter === undefined)
      throw rejected(
        `The Coder template ${template} has no parameter ${name}; nearest: ${listed(nearestNames(name, names))}`,
        "Correct or remove it in `coder.parameters`.",
      );
    const options = parameter.options.map((option) => option.value);
    // A multi-select parameter takes a JSON list of its options; the server checks that list.
    if (options.length > 0 && parameter.type !== "list(string)" && !options.includes(value))
      throw rejected(
        `The parameter ${name} of the Coder template ${template} cannot be "${value}"; it takes ${listed(options)}`,
        "Correct it in `coder.parameters`.",
      );
  }
  const given = new Set([
    ...Object.keys(wished),
    ...leaseNames.filter((name) => name !== "ref"),
    ...(preset?.Parameters ?? []).map(({ Name }) => Name),
  ]);
  const missing = parameters.filter(({ name, required }) => required === true && !given.has(name));
  if (missing.length > 0)
    throw rejected(
      `The Coder template ${template} requires ${listed(missing.map(({ name }) => name))}, which nothing sets`,
      "Set it in `coder.parameters`, choose a preset that does, or give it a default in the template.",
    );
}

function checkExternalAuth(required: readonly ExternalAuth[]): void {
  const missing = required.find(({ authenticated, optional }) => !authenticated && optional !== true);
  if (missing === undefined) return;
  throw workspaceError({
    code: "CODER_EXTERNAL_AUTH_MISSING",
    message: `The Coder template requires the external authentication ${missing.display_name || missing.id}, which the Coder user has not linked`,
    remedy: `Link it once, as that user: ${printable(missing.authenticate_url)}`,
    details: { url: missing.authenticate_url },
  });
}

function warningsFor(template: CoderTemplate, leaseNames: readonly string[]): string[] {
  const deprecation = printable(template.deprecation_message ?? "");
  const isDeprecated = template.deprecated === true || deprecation !== "";
  return [
    ...(isDeprecated
      ? [`The Coder template ${template.name} is deprecated${deprecation === "" ? "." : `: ${deprecation}`}`]
      : []),
    ...(leaseNames.includes("run_id")
      ? []
      : [
          `The Coder template ${template.name} has no parameter run_id: a create whose answer is lost cannot be recognised, and ` +
            "leaked Coder workspaces are reaped by their age only. Add the parameters of the template that ships with afk-triage.",
        ]),
  ];
}

function rejected(message: string, remedy: string): OperationalError<WorkspaceErrorCode> {
  return workspaceError({ code: "CODER_PARAMETER_REJECTED", message, remedy });
}

function organizationOf({ organization_name, organization_id }: CoderTemplate): string {
  return organization_name || (organization_id ?? "unknown");
}

function qualifiedName(template: CoderTemplate): string {
  return template.organization_name ? `${template.organization_name}/${template.name}` : template.name;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "none" : printable(names.toSorted().join(", "), 300);
}

const MAX_LENGTH = 64;

/** Returns the (at most three) candidates with the fewest edits to the name, for a message about a misspelt name. */
function nearestNames(name: string, candidates: readonly string[]): string[] {
  // The length is bounded because the names come from a server.
  const edits = (candidate: string): number =>
    distance(name.slice(0, MAX_LENGTH), candidate.slice(0, MAX_LENGTH));
  return candidates.toSorted((a, b) => edits(a) - edits(b) || a.localeCompare(b)).slice(0, 3);
}
