export type { ConfigErrorCode } from "./environment.ts";
export { chooseAll, type ChosenSetting, type SettingSource } from "./choose-settings.ts";
export { configSchema } from "./config-schema.ts";
export {
  environmentSchema,
  findEnvironmentProblems,
  readEnvironment,
  type RunEnvironment,
} from "./environment.ts";
export {
  defaultRunFlags,
  type FleetSettings,
  type ProgramSettings,
  type RunFlags,
  type TriageAgentSettings,
} from "./program-settings.ts";
export { machineKeysIn } from "./machine-keys.ts";
export { type ConfigFile, readConfig, readConfigFile } from "./read-config.ts";
export { chooseSettings, resolveSettings } from "./resolve-settings.ts";
export { shownSettings } from "./shown-settings.ts";
