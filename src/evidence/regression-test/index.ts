export { frameworkOf, type ManifestFacts, type TestFramework } from "./framework.ts";
export { type PlannedTest, planTest, type TestSubject } from "./plan-test.ts";
export { proveTest, type ProveRequest, type RegressionTest } from "./prove-test.ts";
