export { matchOffline, type ReplayOptions, replayDetailedSnapshot, replaySession } from "./replay.ts";
