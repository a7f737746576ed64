export { markedProcesses, markerOf, SESSION_MARKER } from "./marked-processes.ts";
export { nodePtySpawner } from "./node-pty.ts";
export {
  isSignalOnItsWay,
  isStillThere,
  type ProcessRow,
  processTable,
  readProcess,
  sessionFamily,
  signalProcess,
} from "./process-table.ts";
export { livingFamily, recentProcesses } from "./recent-processes.ts";
export type { InnerShell, Pty, PtyErrorCode, PtyExit, SpawnPty } from "./pty.ts";
