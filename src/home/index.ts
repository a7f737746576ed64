export { describeEvidence, describeFact } from "./describe-evidence.ts";
export { existingStorePath } from "./existing-store.ts";
export type { HomeErrorCode } from "./home-error.ts";
export * from "./home-paths.ts";
export * from "./parent-of-run.ts";
export { makeHome, openHomeDirectories, openProgramHome, type ProgramHome } from "./program-home.ts";
export { type EvidenceKind, findEvidence, type RunEvidence } from "./run-evidence.ts";
