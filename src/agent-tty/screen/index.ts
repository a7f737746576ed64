export type {
  Cell,
  CellAttribute,
  CellColor,
  CellStyle,
  CursorShape,
  DetailedSnapshot,
  StyledSnapshot,
  TerminalModes,
  UnderlineStyle,
} from "./detailed-snapshot.ts";
export { createLateScreen } from "./late-screen.ts";
export { SharedEmulator } from "./shared-emulator.ts";
export { createScreen, restoreScreen, type Screen, type ScreenState, STATE_FORMAT } from "./screen.ts";
export type { SemanticSnapshot } from "./semantic-snapshot.ts";
export { END_OF_UPDATE } from "./synchronized-frame.ts";
export { withoutScrollback } from "./without-scrollback.ts";
