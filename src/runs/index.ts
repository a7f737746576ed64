export { type ActivityFacts, activityStates } from "./activity.ts";
export { type CoderWorkspaceFacts, coderWorkspaceStates } from "./coder-workspace-facts.ts";
export {
  connectToParent,
  controlDirectory,
  type ControlErrorCode,
  type ParentConnection,
  type ParentLookup,
  removeControlOf,
  serveControl,
} from "./control/index.ts";
export {
  deriveDisplayStatus,
  type DisplayStatus,
  pullRequestStatus,
  /** @tools Used by scripts/conformance. */
  SPAWN_GRACE_MS,
} from "./display-status.ts";
export { deriveHandleState, type Indicator, indicator } from "./indicator.ts";
export { type ActivitySignal, type Lifecycle } from "./lifecycle.ts";
export {
  type ObservedRun,
  type PullRequestObservation,
  type PullRequestObserver,
} from "./pull-request-observer.ts";
export {
  type EvidenceFacts,
  evidenceFactsSchema,
  type IssueFacts,
  type ResultFacts,
  type RunUsage,
} from "./issue-facts.ts";
export {
  advanceMonitor,
  /** @tools Used by scripts/conformance. */
  MONITOR_TIMES,
  type MonitorFact,
  type MonitorLook,
  type MonitorState,
  newMonitor,
} from "./advance-monitor.ts";
export { type MonitorSource } from "./start-monitor.ts";
export { type Nudge, type NudgeRecord, nudgeText, planNudges } from "./nudges.ts";
export {
  type ActiveRunGuidance,
  type AdmissionResult,
  deriveSurface,
  type Observer,
  type ObserverMode,
  type ObserverSlot,
  type OpenResult,
  type OwnerPorts,
  /** @tools Used by scripts/conformance. */
  probeRunner,
  type Runner,
  type RunnerProbes,
  type RunOwner,
  RunService,
  type RunUpdate,
  type RunView,
  type StopReason,
  type Surface,
} from "./owner/index.ts";
export { type PhaseFacts, type RunPhase, runPhases, type TriageRunEnd, triageRunEndSchema } from "./phase.ts";
export { type PullRequestFacts, selectDisplayPullRequest } from "./pull-request-facts.ts";
export type { RunJournal } from "./run-ledger.ts";
export {
  admission,
  type RunState,
  type RunStateFacts,
  runStates,
  type SettlementEvidence,
} from "./run-state.ts";
export { type Liveness, type Posture, type RunnerVerdict, runnerVerdicts } from "./runner-verdict.ts";
export { closedGate, type InputGate, type SendResult } from "./input-gate.ts";
export { postureOf, trackedInput, type TrackedInput } from "./tracked-input.ts";
export {
  type LifecycleEvent,
  selectedTriageRun,
  transition,
  type TriageRunEvent,
  type TriageRunFacts,
  triageRunKey,
} from "./triage-run-facts.ts";
