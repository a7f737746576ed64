export * from "./agent-handle/index.ts";
export { claudeCodeProfiles } from "./claude-code/index.ts";
export type { DetectorFamily, DetectorProfile, TuiDetector, Version } from "./detector.ts";
export type {
  ActiveReason,
  Dialog,
  DialogKind,
  Evidence,
  Proof,
  Surface,
  TuiSignals,
  TurnEnding,
} from "./signals.ts";
export type {
  Availability,
  RuntimeFacts,
  TrackedState,
  Tracker,
  TrackerEvent,
  TurnPhase,
  TurnResult,
  TurnSource,
} from "./tracked-state.ts";
export * from "./driver/index.ts";
export * from "./live/index.ts";
export {
  type ProfileRequest,
  type RegistryErrorCode,
  resolveProfile,
  type ResolvedProfile,
} from "./registry.ts";
export * from "./sessions/index.ts";
export * from "./tracker/index.ts";
export {
  TESTED_VERSIONS,
  type TestedTool,
  type VersionStanding,
  versionStanding,
} from "./tested-versions.ts";
export { parseVersion } from "./version.ts";
export type { TuiScreen } from "./tui-screen.ts";
