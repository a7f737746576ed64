export { isPrivateTerminal } from "./is-private-terminal.ts";
export type { BoardPlaces } from "./board-home.ts";
export { FollowUps, type StartProgram } from "./follow-ups.ts";
export { openBoardSource } from "./open-board-source.ts";
