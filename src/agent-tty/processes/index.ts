export { awaitEnd, type ChildEnd } from "./ended-children.ts";
export { markedProcesses, markerOf, SESSION_MARKER } from "./marked-processes.ts";
export { posixCalls } from "./posix/load-posix-calls.ts";
export type { PosixCalls } from "./posix/posix-calls.ts";
export {
  commandOf,
  foregroundGroupOf,
  foregroundProgramOf,
  isSignalOnItsWay,
  isStillThere,
  type ProcessRow,
  processTable,
  readProcess,
  sessionFamily,
  signalProcess,
} from "./process-table.ts";
export { livingFamily, recentProcesses } from "./recent-processes.ts";
