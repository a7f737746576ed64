export { matchesQuery } from "./matches-query.ts";
export { type ParsedQuery, parseQuery } from "./parse-query.ts";
export type { Query } from "./query.ts";
