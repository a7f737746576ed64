export { type RemoteTerminal, TMUX_PROBE } from "./remote-scripts.ts";
export { RELAY_LIMITS, type RelaySpec } from "./relay-spec.ts";
