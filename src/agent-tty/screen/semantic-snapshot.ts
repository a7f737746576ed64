/** What the screen shows at one sequence of the Event Log (A8). Only the renderer produces it. */
export interface SemanticSnapshot {
  /** The last Event Log sequence that the screen has processed. */
  seq: number;
  cols: number;
  rows: number;
  /** One string per row, right-trimmed; a wide character occurs once. */
  visibleLines: string[];
  /** 0-based. */
  cursor: { row: number; col: number; visible: boolean };
  title: string;
  alternateScreen: boolean;
  /** SHA-256 over the visible text, hex. */
  screenHash: string;
}
