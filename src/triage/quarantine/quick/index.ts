export { mayHoldSecret, type QuickGrams } from "./may-hold-secret.ts";
export { GramFilter } from "./gram-filter.ts";
