export * from "./migrate.ts";
export * from "./postgres-queue.ts";
export { readParentState } from "./parent-state.ts";
