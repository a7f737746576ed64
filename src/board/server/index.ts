export { type BoardErrorCode, Refusal } from "./board-error.ts";
export { allRuns } from "./board-source.ts";
export type {
  Artifact,
  BoardSource,
  RunSelection,
  SequencedChange,
  TerminalFrames,
  TerminalName,
  TerminalReading,
  TotalsSelection,
} from "./board-source.ts";
export { type Board, type BoardOptions, startBoard } from "./start-board.ts";
export { boardToken } from "./token-file.ts";
