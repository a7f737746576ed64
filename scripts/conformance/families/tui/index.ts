export { tuiAvailability } from "./availability.ts";
export { ccmanager } from "./ccmanager.ts";
export { tuiDetector } from "./detector.ts";
export { readinessScreens } from "./readiness-screens.ts";
export { tuiRecovery } from "./recovery.ts";
export { tuiRegistry } from "./registry.ts";
export { tuiReplay } from "./replay.ts";
export { tuiSession } from "./session.ts";
