export { encodeState } from "./checkpoint.ts";
export { matchOffline, type ReplayOptions, replayDetailedSnapshot, replaySession } from "./replay.ts";
