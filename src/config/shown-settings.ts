import { redactSecretsIn } from "../github/index.ts";
import { isSecretVariable } from "../triage/index.ts";
import type { ProgramSettings } from "./program-settings.ts";

/**
 * S18: returns the settings as they are printed, which on Actions is often public. For a value whose name or form looks like a
 * secret, it says only that it is set.
 */
export function shownSettings(settings: ProgramSettings): ProgramSettings {
  const { triageAgent, coder } = settings;
  return redactSecretsIn({
    ...settings,
    triageAgent: { ...triageAgent, env: shown(triageAgent.env) },
    coder: { ...coder, parameters: shown(coder.parameters) },
  });
}

function shown(values: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(values);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isSecretVariable(name, value) ? "(set)" : value]),
  );
}
