export * from "./fleet-error.ts";
export * from "./queue/index.ts";
export * from "./sql/index.ts";
export * from "./repositories/index.ts";
export * from "./webhooks/index.ts";
export * from "./poll/index.ts";
