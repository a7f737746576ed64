import type { Cell } from "agent-tty";

/** The screen that a detector reads: one Semantic Snapshot, live, replayed or captured, with styles on demand. */
export interface TuiScreen {
  cols: number;
  rows: number;
  /** One string per row, right-trimmed; a wide character appears once. */
  lines: readonly string[];
  /** Returns the `cols` styled cells of one row. Reading every row is expensive, so call it only where style decides. */
  cellsOf(row: number): readonly Cell[];
  /** 0-based; null if only the text was captured. */
  cursor: { row: number; col: number; visible: boolean } | null;
  /** Window title (OSC 0 and 2); empty if none was set or it is unknown. */
  title: string;
  /** The program's last state report (OSC 7501, `state=…`); null if there is none. */
  programReport: string | null;
}
