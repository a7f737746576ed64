export {
  type AgentHandleFacts,
  agentHandleState,
  type AgentHandleState,
  /** @tools Used by scripts/conformance. */
  SILENCE_DEFAULTS,
  type SilenceTimings,
  waitingState,
} from "./agent-handle.ts";
export { claudeCodeProfiles } from "./claude-code/index.ts";
export type { DetectorFamily, DetectorProfile, TuiDetector, Version } from "./detector.ts";
export { DIALOG_KINDS } from "./signals.ts";
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
export { /** @tools Used by scripts/conformance. */ parseVersion } from "./version.ts";
export type { TuiScreen } from "./tui-screen.ts";
