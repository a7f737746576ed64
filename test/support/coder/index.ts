export {
  type CoderStandIn,
  type CoderStandInOptions,
  type StandInCall,
  startCoderStandIn,
} from "./coder-stand-in.ts";
export {
  connect,
  created,
  deployment,
  failureOf,
  FAST_TIMINGS,
  LEASE,
  never,
  ready,
  request,
} from "./connect.ts";
export {
  type CoderFaults,
  LEASE_PARAMETERS,
  type ParameterSpec,
  type PresetSpec,
  type TemplateSpec,
} from "./stand-in-model.ts";
export { pushVersion } from "./push-version.ts";
export { openStandInSession } from "./open-session.ts";
export { processesCarrying } from "./stand-in-processes.ts";
export { HAS_TMUX, terminalRelay } from "./terminal-relay.ts";
