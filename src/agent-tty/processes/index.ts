export { markedProcesses, markerOf, SESSION_MARKER } from "./marked-processes.ts";
export {
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
