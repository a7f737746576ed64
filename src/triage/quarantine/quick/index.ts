export { QuickFilter } from "./quick-filter.ts";
