export { type FollowedScreen, followScreen, type FollowOptions } from "./follow-screen.ts";
export { eventsFrom, findMoment } from "./moments.ts";
export { matchOffline, type ReplayOptions, replayDetailedSnapshot, replaySession } from "./replay.ts";
export { type ReplayedEvent, replayEvents } from "./replay-events.ts";
export { type ReplayedCut, replayCut } from "./replay-cut.ts";
