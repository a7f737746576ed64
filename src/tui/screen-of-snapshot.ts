import type { Cell, DetailedSnapshot } from "agent-tty";
import type { TuiScreen } from "./tui-screen.ts";

/** Returns the screen that a tracker reads, from a Semantic Snapshot, live or replayed. */
export function screenOfSnapshot(snapshot: DetailedSnapshot): TuiScreen {
  const { cols, rows, visibleLines, cursor, title, programReport, cells } = snapshot;
  return {
    cols,
    rows,
    lines: visibleLines,
    cellsOf: (row) => cells[row] ?? blankRow(cols),
    cursor: { row: cursor.row, col: cursor.col, visible: cursor.visible },
    title,
    programReport,
  };
}

function blankRow(cols: number): readonly Cell[] {
  const style = { fg: "default", bg: "default", attributes: [], underline: null, link: null } as const;
  return Array.from({ length: cols }, () => ({ char: " ", width: 1, style }));
}
