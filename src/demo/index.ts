export type { DemoErrorCode } from "./demo-error.ts";
export * from "./github/index.ts";
export * from "./issues/index.ts";
export * from "./product/index.ts";
export * from "./report/index.ts";
export * from "./residence/index.ts";
