export { matchOffline, type ReplayOptions, replaySession } from "./replay.ts";
