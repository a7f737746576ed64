import { createScreen } from "agent-tty/testing";
import type { TuiScreen } from "../../../src/tui/index.ts";

/** No capture is wider, so lines are never wrapped again. */
const MAX_COLS = 500;
const MIN_COLS = 20;

/**
 * Converts a captured screen: text with SGR sequences, one line per row. The screen is as wide as its widest row; a capture has
 * no cursor.
 */
export function ansiScreen(text: string): TuiScreen {
  const rows = text.replace(/\n$/, "").split("\n");
  const roomCols = Math.max(MIN_COLS, ...rows.map(roomFor));
  using screen = createScreen({ cols: Math.min(roomCols, MAX_COLS), rows: rows.length });
  screen.write(Buffer.from(rows.join("\r\n")), 1);
  const { visibleLines, cells } = screen.detailedSnapshot();
  const widths = cells.map((row) => 1 + row.findLastIndex(({ char }) => char !== " " && char !== ""));
  const cols = Math.max(MIN_COLS, ...widths);
  return {
    cols,
    rows: rows.length,
    lines: visibleLines,
    cellsOf: (row) => cells[row]?.slice(0, cols) ?? [],
    cursor: null,
    title: "",
    programReport: null,
  };
}

/**
 * Returns an upper bound of the row's width: no character takes more than two columns. The bound is tight, because every cell of
 * the screen is read.
 */
function roomFor(row: string): number {
  // oxlint-disable-next-line no-control-regex
  const text = row.replaceAll(/\x1b\[[\d;:]*m/g, "");
  // Other control sequences may move the cursor anywhere.
  return /[\u0000-\u001f\u007f-\u009f]/.test(text) ? MAX_COLS : 2 * text.length + 1;
}
