export * from "./migrate.ts";
export * from "./postgres-queue.ts";
