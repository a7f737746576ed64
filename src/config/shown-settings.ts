import { redactSecretsIn } from "../github/index.ts";
import { isSecretVariable } from "../triage/index.ts";
import type { ProgramSettings } from "./program-settings.ts";

/** S18: as they are printed, which on Actions is often public. A value that is named or looks like a secret is only said to be set. */
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
