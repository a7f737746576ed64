import type { Cell } from "agent-tty";

/** What a detector reads: one Semantic Snapshot, styles on demand. Live, replayed and captured screens alike. */
export interface TuiScreen {
  cols: number;
  rows: number;
  /** One string a row, right-trimmed; wide characters once. */
  lines: readonly string[];
  /** The styled cells of one row: `cols` of them. Dear to make for every row, so ask only where style decides. */
  cellsOf(row: number): readonly Cell[];
  /** 0-based; null where only the text was captured. */
  cursor: { row: number; col: number; visible: boolean } | null;
  /** Window title (OSC 0 and 2); empty where none was set or known. */
  title: string;
  /** The program's last report of its own state (OSC 7501, `state=…`); null when it never reported. */
  programReport: string | null;
}
