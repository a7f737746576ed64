export { type DemoFacts, type DemoResult, describeDemo, REPORT_COLUMNS } from "./describe-demo.ts";
