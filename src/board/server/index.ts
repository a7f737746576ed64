export type { BoardErrorCode } from "./board-error.ts";
export type {
  Artifact,
  BoardSource,
  RunSelection,
  SequencedChange,
  TerminalFrames,
  TerminalName,
  TerminalReading,
} from "./board-source.ts";
export { type Board, type BoardOptions, startBoard } from "./start-board.ts";
export { boardToken } from "./token-file.ts";
