import type { Terminal } from "@xterm/headless";
import type { TerminalLine } from "./cells.ts";
import type { CursorWatch } from "./cursor-watch.ts";
import type { CursorShape } from "./detailed-snapshot.ts";

/** The source of a snapshot: the emulator itself, or a kept frame. */
export interface View {
  cols: number;
  rows: number;
  /** The line at a row of the screen. */
  line(row: number): TerminalLine | undefined;
  cursor: { row: number; col: number; visible: boolean; shape: CursorShape; blink: boolean };
  words: ProgramWords;
  alternateScreen: boolean;
  /** Returns how many lines there are above the screen. */
  scrollbackLength(): number;
}

/** The texts that the program reports outside of the screen's cells. */
export interface ProgramWords {
  title: string;
  programReport: string | null;
}

/** Copying a line needs an unpublished part of the emulator; a version without it shows incomplete frames. */
type CopyableLine = {
  _line?: { clone?(): { loadCell(column: number, cell: object): object; length: number } & TerminalLine };
};

/** Returns a view that reads the emulator's active buffer at each call, without a copy. */
export function liveView(terminal: Terminal, cursor: CursorWatch, words: ProgramWords): View {
  const buffer = terminal.buffer.active;
  return {
    cols: terminal.cols,
    rows: terminal.rows,
    line: (row) => buffer.getLine(buffer.baseY + row),
    cursor: { row: buffer.cursorY, col: buffer.cursorX, ...cursor.looks },
    words,
    alternateScreen: buffer.type === "alternate",
    scrollbackLength: () => buffer.baseY,
  };
}

/** Returns a view with a copy of the current content. */
export function keptView(terminal: Terminal, cursor: CursorWatch, words: ProgramWords): View {
  const view = liveView(terminal, cursor, words);
  const lines = Array.from({ length: view.rows }, (_, row) => copyOf(view.line(row)));
  // The marker tracks the first line of the frame while lines scroll and are dropped.
  const top = view.alternateScreen ? undefined : terminal.registerMarker(-view.cursor.row);
  return { ...view, line: (row) => lines[row], scrollbackLength: () => Math.max(0, top?.line ?? 0) };
}

function copyOf(line: TerminalLine | undefined): TerminalLine | undefined {
  const copy = (line as CopyableLine | undefined)?._line?.clone?.();
  if (copy === undefined) return line;
  return {
    getCell: (column, reuse) =>
      column < copy.length ? (copy.loadCell(column, reuse) as typeof reuse) : undefined,
    translateToString: (trimRight) => copy.translateToString(trimRight),
  };
}
