import { createHash } from "node:crypto";
import type { Terminal } from "@xterm/headless";
import { CellReader, type TerminalLine } from "./cells.ts";
import type { Cell, DetailedSnapshot, StyledSnapshot, TerminalModes } from "./detailed-snapshot.ts";
import type { SemanticSnapshot } from "./semantic-snapshot.ts";
import type { View } from "./view.ts";

/**
 * Returns the visible text and cursor of a view at a sequence of the Event Log. `screenHash` is the SHA-256 of the visible lines.
 */
export function semanticSnapshot(view: View, seq: number): SemanticSnapshot {
  const { cols, rows, cursor, words, alternateScreen } = view;
  const visibleLines = Array.from({ length: rows }, (_, row) => textOf(view.line(row)));
  return {
    seq,
    cols,
    rows,
    visibleLines,
    cursor: { row: cursor.row, col: cursor.col, visible: cursor.visible },
    title: words.title,
    alternateScreen,
    screenHash: createHash("sha256").update(visibleLines.join("\n")).digest("hex"),
  };
}

/** Returns a snapshot that reads the cells of a row on demand. `isCurrent` returns whether the screen has not changed since. */
export function styledSnapshot(
  view: View,
  seq: number,
  terminal: Terminal,
  isCurrent: () => boolean,
): StyledSnapshot {
  const reader = new CellReader(terminal);
  const read = new Map<number, Cell[]>();
  return {
    ...semanticSnapshot(view, seq),
    programReport: view.words.programReport,
    cellsOf: (row) => {
      const known = read.get(row);
      if (known !== undefined) return known;
      const isOnScreen = row >= 0 && row < view.rows;
      if (isOnScreen && !isCurrent())
        throw new Error("the cells of a screen were asked for after it had changed");
      const cells = reader.read(isOnScreen ? view.line(row) : undefined, view.cols);
      read.set(row, cells);
      return cells;
    },
  };
}

/** Returns a snapshot with cells, modes and scrollback. The alternate screen has no scrollback. */
export function detailedSnapshot(view: View, seq: number, terminal: Terminal): DetailedSnapshot {
  const { cols, rows } = view;
  const reader = new CellReader(terminal);
  const scrollbackLength = view.alternateScreen ? 0 : view.scrollbackLength();
  return {
    ...semanticSnapshot(view, seq),
    cursor: view.cursor,
    programReport: view.words.programReport,
    modes: { ...modesOf(terminal), alternateScreen: view.alternateScreen },
    cells: Array.from({ length: rows }, (_, row) => reader.read(view.line(row), cols)),
    scrollbackLines: Array.from({ length: scrollbackLength }, (_, row) =>
      textOf(terminal.buffer.normal.getLine(row)),
    ),
  };
}

function textOf(line: TerminalLine | undefined): string {
  return (line?.translateToString(true) ?? "").trimEnd();
}

function modesOf({ modes }: Terminal): Omit<TerminalModes, "alternateScreen"> {
  return {
    applicationCursor: modes.applicationCursorKeysMode,
    applicationKeypad: modes.applicationKeypadMode,
    bracketedPaste: modes.bracketedPasteMode,
    mouse: modes.mouseTrackingMode,
    focusEvents: modes.sendFocusMode,
    synchronizedOutput: modes.synchronizedOutputMode,
  };
}
