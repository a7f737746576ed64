export { BoardModel } from "./board-model.ts";
export {
  elapsedMs,
  isLive,
  noFilters,
  resultOf,
  type RunFilters,
  shownStatus,
  type SortKey,
} from "../selection/index.ts";
export { explanationOf } from "./explanation.ts";
export { type ExportFormat, exportRuns } from "./export-runs.ts";
export * from "./format.ts";
export {
  goTo,
  goToOverview,
  replaceRoute,
  type Route,
  route,
  routeHash,
  type RunTab,
  runTabs,
  wasNavigated,
} from "./route.ts";
export { useDocument } from "./use-document.ts";
