export { isPrivateTerminal } from "./is-private-terminal.ts";
export { openBoardSource } from "./open-board-source.ts";
