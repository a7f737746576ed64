export {
  defaultHomeDirectory,
  type Home,
  type HomeOptions,
  isSessionId,
  type ManifestReading,
  openHome,
  UNFINISHED_PREFIX,
} from "./home.ts";
export { withFileLock } from "./file-lock.ts";
export { type HomeErrorCode, unreadable } from "./home-error.ts";
export { exitSchema, type SessionManifest, statusSchema } from "./manifest.ts";
export { hostCrashPath, readManifestAgain, readManifestFile, type ReadManifest } from "./manifest-file.ts";
export { ownUserId, PRIVATE_FILE_MODE } from "./private-files.ts";
export {
  canTransition,
  isDestroyed,
  type SessionExit,
  type SessionStatus,
  STATUS_POLICY,
  type StatusPolicy,
} from "./session-status.ts";
export {
  type HostIdentity,
  isHostRunning,
  type SessionLiveness,
  sessionLiveness,
} from "./session-liveness.ts";
export { claimSession, readOwner, type SessionClaim } from "./session-owner.ts";
export { type HomeRegistry, openHomeRegistry, type RegisteredHome } from "./home-registry.ts";
export { removeUnfinishedFiles } from "./unfinished-files.ts";
