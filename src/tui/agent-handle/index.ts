export type { AgentHandleErrorCode } from "./handle-error.ts";
export {
  agentHandleChangedAtMs,
  type AgentHandleEvent,
  type AgentHandleFacts,
  agentHandleState,
  type AgentHandleState,
  newAgentHandle,
  nextSilenceLimitMs,
  SILENCE_DEFAULTS,
  type SilenceTimings,
  transitionAgentHandle,
} from "./handle-state.ts";
export { type AgentHandle, type AgentHandleConfig, launchAgentHandle } from "./launch-agent-handle.ts";
export { type EvidenceRank, type MergedEvidence, mergedView, type MergedView } from "./merged-view.ts";
