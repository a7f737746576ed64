export { type BranchFacts, type BranchPlan, planBranch } from "./plan-branch.ts";
export { planPrep, type PrepFacts, type PrepPlan } from "./plan-prep.ts";
export { prepareRelease, type PrepSummary } from "./prepare-release.ts";
export type { PrepOptions, PrepPorts, PrepStep } from "./prep-ports.ts";
