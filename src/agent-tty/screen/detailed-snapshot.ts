import type { SemanticSnapshot } from "./semantic-snapshot.ts";

/** The theme's own colour, an index into the 256-colour palette, or a colour of its own. */
export type CellColor = "default" | number | `#${string}`;

export type CellAttribute =
  | "bold"
  | "dim"
  | "italic"
  | "underline"
  | "blink"
  | "inverse"
  | "invisible"
  | "strikethrough"
  | "overline";

export type UnderlineStyle = "single" | "double" | "curly" | "dotted" | "dashed";

/** One place of the screen. Cells that look alike share their `style`, so it can be compared by identity. */
export interface Cell {
  /** The character with its combining marks; a blank cell holds a space, the right half of a wide character "". */
  char: string;
  /** 2 for a wide character, 0 for the cell that it covers, else 1. */
  width: 0 | 1 | 2;
  style: CellStyle;
}

export interface CellStyle {
  fg: CellColor;
  bg: CellColor;
  attributes: readonly CellAttribute[];
  /** Set when `attributes` holds "underline". */
  underline: { style: UnderlineStyle; color: CellColor } | null;
  /** Target of an OSC 8 link: text from the program, never to be trusted. */
  link: string | null;
}

export interface TerminalModes {
  alternateScreen: boolean;
  /** DECCKM. */
  applicationCursor: boolean;
  applicationKeypad: boolean;
  bracketedPaste: boolean;
  mouse: "none" | "x10" | "vt200" | "drag" | "any";
  focusEvents: boolean;
  /** Inside a synchronized update: what is shown is the last whole frame. */
  synchronizedOutput: boolean;
}

export type CursorShape = "block" | "underline" | "bar";

/** A8 for those who look at every screen and need the styles of few rows. */
export interface StyledSnapshot extends SemanticSnapshot {
  /** The same as in `DetailedSnapshot`. */
  programReport: string | null;
  /** `cols` cells, blank for a row that the screen does not have. Throws when the row is first asked for after the screen has changed. */
  cellsOf(row: number): readonly Cell[];
}

/** A8 with everything that a picture of the screen needs; taken at the same sequence as its text. */
export interface DetailedSnapshot extends SemanticSnapshot {
  cursor: SemanticSnapshot["cursor"] & { shape: CursorShape; blink: boolean };
  modes: TerminalModes;
  /** The program's last report of its own state (OSC 7501, e.g. `state=working:app=codex`); null when it never sent one. */
  programReport: string | null;
  /** `rows` lines of `cols` cells. */
  cells: Cell[][];
  /** The scrollback, oldest first, right-trimmed; empty on the alternate screen. */
  scrollbackLines: string[];
}
