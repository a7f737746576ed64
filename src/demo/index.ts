export * from "./github/index.ts";
export * from "./issues/index.ts";
export * from "./product/index.ts";
export * from "./residence/index.ts";
export * from "./report/index.ts";
