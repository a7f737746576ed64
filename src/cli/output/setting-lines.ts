import { hangingLines } from "../../layout/index.ts";
import type { ChosenSetting, ConfigFile } from "../../config/index.ts";
import { inertJson, plainText, redactSecretsIn } from "../../github/index.ts";

/** A setting as `config` and a dry run show it, without secrets. */
export interface ShownSetting {
  key: string;
  value: unknown;
  source: ChosenSetting["source"];
  /** The flag, the variable, or `file:line`; null for a default. */
  from: string | null;
}

/** Returns the settings with their sources. `file`: the config file from which they were chosen. */
export function shownSettingsOf(chosen: readonly ChosenSetting[], file: ConfigFile): ShownSetting[] {
  return chosen.map((setting) => ({
    key: setting.key,
    value: redactSecretsIn(setting.value),
    source: setting.source,
    from: originOf(setting, file),
  }));
}

/** Returns the lines of each setting, wrapped to `columns`, with all values in one column. */
export function settingLines(settings: readonly ShownSetting[], columns: number): string[] {
  const width = Math.max(...settings.map(({ key }) => key.length));
  return settings.flatMap(({ key, value, from }) => {
    const origin = from === null ? "" : `  (${from})`;
    return hangingLines(`  ${key.padEnd(width)}  `, `${plainText(inertJson(value))}${origin}`, columns);
  });
}

function originOf({ key, source, flag, variable }: ChosenSetting, file: ConfigFile): string | null {
  switch (source) {
    case "flag":
      return flag;
    case "environment":
      return variable;
    case "file":
      return file.placeOf(key);
    case "default":
      return null;
  }
}
