export * from "./board-data.ts";
export { liveBoardData } from "./live-board-data.ts";
export { reportBoardData } from "./report-board-data.ts";
export { visibleText } from "./visible-text.ts";
