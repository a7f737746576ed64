export { isMatch } from "./claim-lines.ts";
export { controlsThatShow, decideEvidence, type EvidenceFacts } from "./decide-evidence.ts";
export { drawsOnChance } from "./draws-on-chance.ts";
export { gradeRuns } from "./grade-runs.ts";
export { type WeightOfChange, weightOfChange } from "./forbidden-changes.ts";
export { claimedMissing, type MissingThing, missingThing } from "./missing-name.ts";
export { type NextRuns, planNextRuns } from "./next-runs.ts";
export { isBeyondDoubt, LAST_REAL_RUNS, needsControls } from "./needs-controls.ts";
export { type Settlement, settle } from "./side-by-side.ts";
