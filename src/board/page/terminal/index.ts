export { LiveTerminal } from "./live-terminal.tsx";
export { Replay } from "./replay.tsx";
export { loadScreen } from "./load-screen.ts";
