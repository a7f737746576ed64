export * from "./fleet-error.ts";
export * from "./queue/index.ts";
export * from "./sql/index.ts";
