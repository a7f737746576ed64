export type * from "./outcome-problem.ts";
export * from "./parse-outcome.ts";
