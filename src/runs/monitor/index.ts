export {
  advanceMonitor,
  defaultMonitorSettings,
  type MonitorFact,
  type MonitorLook,
  type MonitorSettings,
  type MonitorState,
  newMonitor,
} from "./advance-monitor.ts";
export { type MonitorSource, startMonitor } from "./start-monitor.ts";
