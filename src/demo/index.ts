export type { DemoErrorCode } from "./demo-error.ts";
export * from "./github/index.ts";
export * from "./issues/index.ts";
export { createProductRepository } from "./product-repository.ts";
export { type DemoFacts, type DemoResult, describeDemo } from "./describe-demo.ts";
export * from "./residence/index.ts";
