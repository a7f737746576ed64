export { createSession } from "./create-session.ts";
export { type RestartOptions, restartSession } from "./restart-session.ts";
export { type EngineErrorCode, invalidInput, notCommandable } from "./engine-error.ts";
export type { Session, SessionSpec } from "./session.ts";
export { killMarkedProcesses, killProcesses } from "./teardown.ts";
export { encodeState } from "./encode-state.ts";
