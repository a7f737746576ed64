export { type ActivityFacts, activityStates } from "./activity.ts";
export { type CoderWorkspaceFacts, coderWorkspaceStates } from "./coder-workspace-facts.ts";
export {
  defaultDisplaySettings,
  deriveDisplayStatus,
  type DisplaySettings,
  type DisplayStatus,
} from "./display-status.ts";
export { deriveHandleState, type Indicator, indicator } from "./indicator.ts";
export { type PhaseFacts, type RunPhase, runPhases, type TriageRunEnd } from "./phase.ts";
export { type PullRequestFacts, selectDisplayPullRequest } from "./pull-request-facts.ts";
export {
  admission,
  type RunState,
  type RunStateFacts,
  runStates,
  type SettlementEvidence,
} from "./run-state.ts";
export {
  selectedTriageRun,
  transition,
  type TriageRunEvent,
  type TriageRunFacts,
  triageRunKey,
} from "./triage-run-facts.ts";
