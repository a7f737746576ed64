export { parseDuration } from "../duration.ts";
export { readEnvironment, type RunEnvironment } from "./environment.ts";
export { reproductionsDirectory, resolveHome, runsDirectory, storePath } from "./home-paths.ts";
export { readConfig } from "./read-config.ts";
export {
  defaultRunFlags,
  type ProgramSettings,
  resolveSettings,
  type RunFlags,
  type TriageAgentSettings,
} from "./resolve-settings.ts";
