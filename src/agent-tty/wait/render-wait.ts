import type { SessionExit } from "../home/index.ts";

/**
 * The condition of a Render Wait (A19). All given parts must hold at the same time. At least one of text, regex, cursor and
 * stability is given.
 */
export interface RenderWaitCondition {
  /** Text that the visible lines must contain; 1 to 1,000 characters; not together with `regex`. */
  text?: string;
  /** JavaScript source, 1 to 200 characters; patterns that can backtrack catastrophically are refused. */
  regex?: string;
  /** 0-based. */
  cursorRow?: number;
  cursorCol?: number;
  /** The visible text must be unchanged for this long. */
  screenStableMs?: number;
  /** Wait Baseline: the snapshot must be later than this sequence. */
  afterSeq?: number;
}

export type RenderWaitResult =
  | { type: "matched"; matchedText: string | null; capturedAtSeq: number; screenHash: string }
  | { type: "timed-out"; capturedAtSeq: number; screenHash: string; visibleText: string }
  /** The Session exited, so the condition can no longer become true. */
  | {
      type: "interrupted";
      exit: SessionExit;
      capturedAtSeq: number;
      screenHash: string;
      visibleText: string;
    };
