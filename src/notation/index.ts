export { parseByteSize, showByteSize, writeByteSize } from "./byte-size.ts";
export { cronProblem } from "./cron.ts";
export { parseDuration, writeDuration } from "./duration.ts";
export { nearestKey } from "./nearest-key.ts";
export { isRepositoryName } from "./repository-name.ts";
