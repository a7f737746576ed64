export { type DemoFacts, type DemoResult, describeDemo } from "./describe-demo.ts";
