export { /** @tools Used by scripts/conformance. */ parseDuration } from "../duration.ts";
export type { ChosenSetting, SettingSource } from "./chosen-setting.ts";
export { configSchema } from "./config-schema.ts";
export {
  environmentSchema,
  findEnvironmentProblems,
  readEnvironment,
  type RunEnvironment,
} from "./environment.ts";
export {
  releasesDirectory,
  checkpointsDirectory,
  reproductionsDirectory,
  resolveHome,
  runsDirectory,
  storePath,
} from "./home-paths.ts";
export {
  defaultRunFlags,
  type ProgramSettings,
  type RunFlags,
  type TriageAgentSettings,
} from "./program-settings.ts";
export { keyOwners, leafKeys, machineKeysIn } from "./key-owners.ts";
export { type ConfigFile, readConfig, readConfigFile } from "./read-config.ts";
export { chooseSettings, resolveSettings } from "./resolve-settings.ts";
export { shownSettings } from "./shown-settings.ts";
