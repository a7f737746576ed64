export { endMarkStart, type RemoteTerminal, TMUX_PROBE } from "./remote-scripts.ts";
export { EXIT_WITH_CODE, isLostConnection } from "./exit-codes.ts";
export type { OpenConnection } from "./connection.ts";
export { type RelayPorts, TerminalRelay, type TerminalSize } from "./relay.ts";
export { RELAY_LIMITS, type RelaySpec } from "./relay-spec.ts";
export { remoteBash } from "./remote-bash.ts";
