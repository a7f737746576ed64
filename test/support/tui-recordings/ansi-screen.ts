import { createScreen } from "agent-tty/testing";
import type { TuiScreen } from "../../../src/tui/index.ts";

/** No capture is wider; lines are never wrapped again. */
const MAX_COLS = 500;
const MIN_COLS = 20;

/** A captured screen: text with SGR sequences, one line a row. Its width is that of its widest row; a capture has no cursor. */
export function ansiScreen(text: string): TuiScreen {
  const rows = text.replace(/\n$/, "").split("\n");
  using screen = createScreen({ cols: MAX_COLS, rows: rows.length });
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
