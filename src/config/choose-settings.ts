import { type Config, configSchema } from "./config-schema.ts";
import type { RunEnvironment } from "./environment.ts";
import type { RunFlags } from "./program-settings.ts";
import { putAt, type Resolved, type Setting, type SettingFacts, settingsIn, valueAt } from "./setting.ts";

export type SettingSource = "flag" | "environment" | "file" | "default";

/** One resolved setting, with its source and the flag and variable that can set it. */
export interface ChosenSetting {
  /** Its path in the config file, e.g. `coder.template`. `home` has no path there. */
  key: string;
  /** The value as the config file writes it. */
  value: unknown;
  source: SettingSource;
  flag: string | null;
  variable: string | null;
}

export type ResolvedConfig = Resolved<typeof configSchema>;

/** Every setting of the config file. */
export const knownSettings: readonly Setting[] = settingsIn(configSchema);

/**
 * Returns a value for every setting. A flag takes precedence over the environment, which takes precedence over the file, which
 * takes precedence over the fallback.
 */
export function chooseAll(
  flags: RunFlags,
  environment: RunEnvironment,
  config: Config,
): { resolved: ResolvedConfig; chosen: ChosenSetting[] } {
  const resolved: Record<string, unknown> = {};
  const chosen = knownSettings.map(({ key, path, facts }) => {
    const [value, one] = chooseOne(key, facts, { flags, environment, file: valueAt(config, path) });
    putAt(resolved, path, value);
    return one;
  });
  return { resolved: resolved as unknown as ResolvedConfig, chosen };
}

/** `file` is undefined if the file does not have the key; null is a valid value. */
export function chooseOne<Value>(
  key: string,
  { flag, variable, fallback, write = (value) => value }: SettingFacts<Value>,
  { flags, environment, file }: { flags: RunFlags; environment: RunEnvironment; file?: Value | undefined },
): [value: Value, ChosenSetting] {
  const ofFlag = flag?.[1](flags);
  const ofVariable = variable?.[1](environment) ?? undefined;
  const offers: [SettingSource, Value | undefined][] = [
    ["flag", ofFlag],
    ["environment", ofVariable],
    ["file", file],
  ];
  const [source, offered] = offers.find(([, value]) => value !== undefined) ?? ["default"];
  const value = offered === undefined ? fallback : offered;
  return [
    value,
    { key, value: write(value), source, flag: flag?.[0] ?? null, variable: variable?.[0] ?? null },
  ];
}
