export { type CanaryDetector, createCanaryDetector } from "./canary-detector.ts";
export type { CanaryHit } from "./secret-search.ts";
export type { CanaryForm } from "./canary-forms.ts";
export {
  agentSecrets,
  isSecretVariable,
  type ParentSecret,
  parentSecrets,
  withoutRepositories,
} from "./parent-secrets.ts";
export { findInOutcome } from "./find-in-outcome.ts";
export {
  createSessionCleaner,
  createThreadedCleaner,
  emptySession,
  type SessionCleaner,
} from "./cleaning/index.ts";
export { secretLeaked } from "./canary-detector.ts";
