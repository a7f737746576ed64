export { encodeState } from "./checkpoint.ts";
export { type FollowedScreen, followScreen } from "./follow-screen.ts";
export { matchOffline, type ReplayOptions, replayDetailedSnapshot, replaySession } from "./replay.ts";
