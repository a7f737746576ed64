export { LiveTerminal } from "./live-terminal.tsx";
export { Replay } from "./replay.tsx";
