export {
  type ActivityEvent,
  type ActivityFacts,
  type ActivityState,
  activityStates,
  type ProbeVerdict,
  RECENT_ACTIVITY_MS,
} from "./activity.ts";
export {
  type CoderWorkspaceEvent,
  type CoderWorkspaceFacts,
  type CoderWorkspaceState,
  coderWorkspaceStates,
} from "./coder-workspace-facts.ts";
export {
  defaultDisplaySettings,
  deriveDisplayStatus,
  type DisplaySettings,
  type DisplayStatus,
} from "./display-status.ts";
export { type AgentHandleState, deriveHandleState, type Indicator, indicator } from "./indicator.ts";
export {
  type PhaseEvent,
  type PhaseFacts,
  type RunPhase,
  runPhases,
  type TriageRunEnd,
  triageRunStatuses,
} from "./phase.ts";
export { type PullRequestFacts, selectDisplayPullRequest } from "./pull-request-facts.ts";
export {
  admission,
  type Admission,
  type RunState,
  type RunStateEvent,
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
