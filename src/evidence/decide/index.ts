export { isMatch } from "./claim-lines.ts";
export { controlsThatShow, decideEvidence, type EvidenceFacts } from "./decide-evidence.ts";
export { missingName } from "./missing-name.ts";
export { type NextRuns, planNextRuns } from "./next-runs.ts";
