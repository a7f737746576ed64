export { filtersOfQuery, queryOfFilters } from "./filter-query.ts";
export {
  byOrder,
  elapsedMs,
  isLive,
  isShown,
  noFilters,
  resultOf,
  type RunFilters,
  shownRuns,
  type SortKey,
} from "./filters.ts";
export { totalsOf } from "./totals.ts";
