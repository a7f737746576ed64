export { seededIds } from "./seeded-ids.ts";
export { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";
export { writeCheckpoint } from "./write-checkpoint.ts";
export { followEvents, type LogFile, type OpenLogFile, openLogFile } from "../log/index.ts";
export { createLateScreen, createScreen, type Screen, SharedEmulator } from "../screen/index.ts";
