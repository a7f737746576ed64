import type { CoderPreset, RichParameter } from "./coder-schemas.ts";
import { parseVersion } from "./version.ts";
import { printable, workspaceError } from "./workspace-error.ts";

/**
 * Returns whether a create may claim a prebuilt Coder workspace. Throws if every claim of a prebuilt Coder workspace would be
 * refused. A claim is not a first build: the value of an immutable parameter must equal the value that was stored with the
 * prebuild, and the lease's value never does. Source: coder/coder, coderd/wsbuilder/wsbuilder.go and
 * coderd/dynamicparameters/resolver.go.
 */
export function checkClaims(
  wish: { template: string; parameters: Readonly<Record<string, string>> },
  chosen: CoderPreset | null,
  presets: readonly CoderPreset[],
  parameters: readonly RichParameter[],
  leaseNames: readonly string[],
): boolean {
  const isOfLease = (name: string): boolean => leaseNames.includes(name);
  const spoilt = chosen?.Parameters.find(({ Name }) => isOfLease(Name));
  if (chosen !== null && spoilt !== undefined)
    throw rejected(
      `The preset ${chosen.Name} of the Coder template ${wish.template} sets ${spoilt.Name}, which is part of the lease`,
      "Remove it from the preset: a preset overrules the values that afk-triage sends.",
    );
  const pooled = (chosen === null ? presets.filter((preset) => matches(preset, wish.parameters)) : [chosen])
    // If the request names no preset, the server claims from any preset whose parameters are all among the request's values.
    .find(({ DesiredPrebuildInstances }) => (DesiredPrebuildInstances ?? 0) > 0);
  if (pooled === undefined) return false;
  const stored = new Map([
    ...parameters.map(({ name, default_value }) => [name, default_value ?? ""] as const),
    ...pooled.Parameters.map(({ Name, Value }) => [Name, Value] as const),
  ]);
  const isOfPreset = (name: string): boolean => pooled.Parameters.some(({ Name }) => Name === name);
  const changed = parameters
    .filter(({ name, mutable }) => {
      if (mutable === true || isOfPreset(name)) return false;
      const wished = wish.parameters[name];
      return isOfLease(name) || (wished !== undefined && wished !== stored.get(name));
    })
    .map(({ name }) => name);
  if (changed.length === 0) return true;
  throw rejected(
    `The preset ${pooled.Name} of the Coder template ${wish.template} keeps prebuilt Coder workspaces, but ` +
      `${changed.join(", ")} cannot change at a claim, so that every create would be refused (HTTP 400)`,
    "Set `mutable = true` for these parameters in the Coder template, as the templates of afk-triage do, and push it.",
  );
}

function matches({ Parameters }: CoderPreset, values: Readonly<Record<string, string>>): boolean {
  return Parameters.every(({ Name, Value }) => values[Name] === Value);
}

function rejected(message: string, remedy: string) {
  return workspaceError({ code: "CODER_PARAMETER_REJECTED", message: printable(message, 600), remedy });
}

/**
 * Returns the warning for a preset with prebuilt Coder workspaces on Coder 2.33 to 2.35. These versions instruct the Coder
 * workspace agent to start again at every reconnect after a claim, which ends its Sessions; releases from July 2026 do not
 * (coder/coder #26548, #26644, #26645).
 */
export function claimWarnings(serverVersion: string, isClaiming: boolean): string[] {
  const [major, minor] = parseVersion(serverVersion) ?? [];
  if (!isClaiming || major !== 2 || minor === undefined || minor < 33 || minor > 35) return [];
  return [
    `The preset keeps prebuilt Coder workspaces, and the deployment is ${printable(serverVersion, 64)}: releases of 2.33 to 2.35 before ` +
      "July 2026 restart a claimed one at every reconnect. Use the newest patch release, or set `prebuilds = 0`.",
  ];
}
