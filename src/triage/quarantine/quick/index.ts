export { mayHoldToken, QuickFilter } from "./quick-filter.ts";
