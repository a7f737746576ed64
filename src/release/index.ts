export { type Changelog, readChangelog } from "./read-changelog.ts";
export { type RawCommit, readCommits, type ReleaseCommit } from "./read-commits.ts";
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
export type { TakeLock } from "./release-record.ts";
export type { Refusal, ReleaseErrorCode } from "./release-error.ts";
export { repositoryOfUrl } from "./repository-of-url.ts";
export { type BumpLevel, chooseVersion, type VersionWish } from "./choose-version.ts";
