export * from "./read-status.ts";
export * from "./scope-status.ts";
