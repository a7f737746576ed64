export { defaultHomeDirectory, type Home, type HomeOptions, type ManifestReading, openHome } from "./home.ts";
export type { HomeErrorCode } from "./home-error.ts";
export { exitSchema, type SessionManifest, statusSchema } from "./manifest.ts";
export { PRIVATE_FILE_MODE, writeFileAtomic } from "./private-files.ts";
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
  ownHostIdentity,
  type SessionLiveness,
  sessionLiveness,
} from "./session-liveness.ts";
