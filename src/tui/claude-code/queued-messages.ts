import type { Proof } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";
import type { Composer } from "./composer.ts";
import { isQueued, type LatestTurn } from "./latest-turn.ts";
import { hasBackground } from "./looks.ts";
import { looksLikeMessage } from "./rows.ts";

export interface QueuedMessages {
  pending: Proof;
  row: number | null;
}

const NONE: QueuedMessages = { pending: "no", row: null };
/** 2.1.197 lists queued messages directly over the box, indented, on the background of messages. */
const QUEUED = /^ {2}❯ \S/;
const QUEUED_MORE = /^ {4}\S/;
const ROWS_MAX = 20;

/** Returns whether messages wait in the TUI's own queue, above the composer, and their row. */
export function findQueuedMessages(
  screen: TuiScreen,
  { topRow }: Composer,
  { tail }: LatestTurn,
): QueuedMessages {
  if (topRow <= 0) return { pending: "unknown", row: null };
  const row = rowAbove(screen, topRow);
  if (row !== null) return judge(screen, row);
  const listed = screen.lines.findIndex(
    (line, at) => at < topRow && looksLikeMessage(line) && isQueued(screen, at, topRow),
  );
  if (listed !== -1 && (!("row" in tail) || tail.row > listed)) return { pending: "yes", row: listed };
  return NONE;
}

/** Returns the row of the indented message that ends at the box, with at most one blank row between. */
function rowAbove({ lines }: TuiScreen, topRow: number): number | null {
  const last = (lines[topRow - 1] ?? "").trim() === "" ? topRow - 2 : topRow - 1;
  for (let row = last; row >= 0 && row > last - ROWS_MAX; row -= 1) {
    const line = lines[row] ?? "";
    if (QUEUED.test(line)) return row;
    if (!QUEUED_MORE.test(line)) return null;
  }
  return null;
}

/**
 * Returns whether the row is a queued message. Only a row on the background of messages is one; an answer may quote such a row
 * without that background.
 */
function judge(screen: TuiScreen, row: number): QueuedMessages {
  if (hasBackground(screen, row, 2)) return { pending: "yes", row };
  return { pending: "unknown", row: null };
}
