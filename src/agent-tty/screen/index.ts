export type {
  Cell,
  CellAttribute,
  CellColor,
  CellStyle,
  CursorShape,
  DetailedSnapshot,
  TerminalModes,
  UnderlineStyle,
} from "./detailed-snapshot.ts";
export { createScreen, type Screen } from "./screen.ts";
export type { SemanticSnapshot } from "./semantic-snapshot.ts";
