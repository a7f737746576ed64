/** A8: what the screen shows at one Event Log sequence. Produced by the renderer only. */
export interface SemanticSnapshot {
  /** The last Event Log sequence the screen had seen. */
  seq: number;
  cols: number;
  rows: number;
  /** One string a row, right-trimmed; wide characters once. */
  visibleLines: string[];
  /** 0-based. */
  cursor: { row: number; col: number; visible: boolean };
  title: string;
  alternateScreen: boolean;
  /** SHA-256 over the visible text, hex. */
  screenHash: string;
}
