export { nodePtySpawner } from "./node-pty.ts";
export { isStillThere, type ProcessRow, readProcess, sessionFamily, signalProcess } from "./process-table.ts";
export type { Pty, PtyErrorCode, PtyExit, SpawnPty } from "./pty.ts";
