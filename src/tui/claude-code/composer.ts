import type { SemanticSnapshot } from "agent-tty";

/** The input box: rows of the screen, and whether it holds text of ours. */
export interface Composer {
  /** Row of its upper rule. */
  topRow: number;
  /** Row of its lower rule. */
  bottomRow: number;
  hasDraft: boolean;
}

const RULE = /^─{10,}/;
/** U+00A0 follows the live prompt; it is trimmed away when nothing follows. Past messages have an ordinary space. */
const LIVE_PROMPT = /^[❯>](?:\u00a0|$)/;
/** The column after `❯` and U+00A0. A placeholder is text too, but leaves the cursor here. */
const EMPTY_COLUMN = 2;

/** The composer holds the terminal cursor and lies between two full-width rules; null when there is none. */
export function readComposer({ visibleLines, cursor }: SemanticSnapshot): Composer | null {
  const upToCursor = visibleLines.slice(0, cursor.row + 1);
  const promptRow = upToCursor.findLastIndex((line) => LIVE_PROMPT.test(line));
  if (promptRow === -1 || !RULE.test(visibleLines[promptRow - 1] ?? "")) return null;
  const draftRows = visibleLines.slice(promptRow, cursor.row + 1);
  if (draftRows.some((line) => RULE.test(line))) return null;
  const ruleOffset = visibleLines.slice(cursor.row + 1).findIndex((line) => RULE.test(line));
  if (ruleOffset === -1) return null;
  return {
    topRow: promptRow - 1,
    bottomRow: cursor.row + 1 + ruleOffset,
    hasDraft: cursor.row !== promptRow || cursor.col > EMPTY_COLUMN,
  };
}
