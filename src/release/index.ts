export { type Changelog, readChangelog } from "./changelog/index.ts";
export { type RawCommit, readCommits, type ReleaseCommit } from "./commits/index.ts";
export {
  collectEvidence,
  type EvidencePorts,
  type EvidenceRequest,
  type VerificationEvidence,
  verificationEnvironment,
} from "./evidence/index.ts";
export * from "./finalize/index.ts";
export { type Git, gitIn, repositoryRoot, type StartGit } from "./git/index.ts";
export * from "./notes/index.ts";
export * from "./prep/index.ts";
export * from "./publish/index.ts";
export type { TakeLock } from "./record/index.ts";
export type { Refusal, ReleaseErrorCode } from "./release-error.ts";
export { repositoryOfUrl } from "./repository-of-url.ts";
export { type BumpLevel, chooseVersion, type VersionWish } from "./version/index.ts";
