export * from "./api/index.ts";
export * from "./report/index.ts";
export * from "./server/index.ts";
export * from "./source/index.ts";
