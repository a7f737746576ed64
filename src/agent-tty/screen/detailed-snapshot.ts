import type { SemanticSnapshot } from "./semantic-snapshot.ts";

/** The theme's default colour, an index into the 256-colour palette, or an RGB colour. */
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

/** One position on the screen. Cells that look the same share their `style`, so that it can be compared by identity. */
export interface Cell {
  /** The character with its combining marks. A blank cell contains a space, the right half of a wide character "". */
  char: string;
  /** 2 for a wide character, 0 for the cell that it covers, else 1. */
  width: 0 | 1 | 2;
  style: CellStyle;
}

export interface CellStyle {
  fg: CellColor;
  bg: CellColor;
  attributes: readonly CellAttribute[];
  /** Set if `attributes` contains "underline". */
  underline: { style: UnderlineStyle; color: CellColor } | null;
  /** Target of an OSC 8 link: untrusted text from the program. */
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
  /** True inside a synchronized update: the last complete frame is shown. */
  synchronizedOutput: boolean;
}

export type CursorShape = "block" | "underline" | "bar";

/** A Semantic Snapshot (A8) for callers that read every screen but need the styles of only a few rows. */
export interface StyledSnapshot extends SemanticSnapshot {
  /** The same as in `DetailedSnapshot`. */
  programReport: string | null;
  /**
   * Returns `cols` cells; they are blank for a row that the screen does not have. Throws if a row is first requested after the
   * screen has changed.
   */
  cellsOf(row: number): readonly Cell[];
}

/** A Semantic Snapshot (A8) with everything that a picture of the screen needs, taken at the same sequence as its text. */
export interface DetailedSnapshot extends SemanticSnapshot {
  cursor: SemanticSnapshot["cursor"] & { shape: CursorShape; blink: boolean };
  modes: TerminalModes;
  /** The program's last report of its own state (OSC 7501, e.g. `state=working:app=codex`); null if it never sent one. */
  programReport: string | null;
  /** `rows` lines of `cols` cells. */
  cells: Cell[][];
  /** The scrollback, oldest first, right-trimmed; empty on the alternate screen. */
  scrollbackLines: string[];
}
