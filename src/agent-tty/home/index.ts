export type { SessionExit, SessionStatus } from "./session-status.ts";
