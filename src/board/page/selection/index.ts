export { filtersOfQuery, queryOfFilters } from "./filter-query.ts";
export {
  byOrder,
  elapsedMs,
  isChosen,
  isLive,
  isShown,
  isWaiting,
  noFilters,
  resultOf,
  type RunFilters,
  shownRuns,
  shownStatus,
  type SortKey,
} from "./filters.ts";
export { totalsOf } from "./totals.ts";
