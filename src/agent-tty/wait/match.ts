import type { SemanticSnapshot } from "../screen/index.ts";
import { searchBounded } from "./bounded-search.ts";
import type { RenderWaitCondition } from "./render-wait.ts";

/** A regex searches at most this many characters of the visible text. */
const SEARCH_WINDOW_CHARACTERS = 50_000;

/** The result for each part of a condition; a part that was not requested counts as matched. */
export interface RenderWaitMatch {
  matched: boolean;
  matchedText: string | null;
  textMatched: boolean;
  cursorMatched: boolean;
  baselineMatched: boolean;
  stabilityMatched: boolean;
  contentAndCursorMatched: boolean;
}

/**
 * Returns which parts of a Render Wait's condition hold (A19); pure. `stableForMs` is how long the visible text has been
 * unchanged, or null if that cannot be known: offline, a stability part never matches (A21). Only visible lines count, never
 * scrollback. Throws REGEX_TOO_SLOW if a regex takes too long on this screen.
 */
export function matchRenderWait(
  condition: RenderWaitCondition,
  snapshot: Pick<SemanticSnapshot, "visibleLines" | "seq"> & { cursor: { row: number; col: number } },
  stableForMs: number | null,
): RenderWaitMatch {
  const matchedText = matchContent(condition, snapshot.visibleLines.join("\n"));
  const hasContent = condition.text !== undefined || condition.regex !== undefined;
  const textMatched = !hasContent || matchedText !== null;
  const cursorMatched =
    (condition.cursorRow ?? snapshot.cursor.row) === snapshot.cursor.row &&
    (condition.cursorCol ?? snapshot.cursor.col) === snapshot.cursor.col;
  const baselineMatched = condition.afterSeq === undefined || snapshot.seq > condition.afterSeq;
  const stabilityMatched =
    condition.screenStableMs === undefined ||
    (stableForMs !== null && stableForMs >= condition.screenStableMs);
  const contentAndCursorMatched = textMatched && cursorMatched && baselineMatched;
  const matched = contentAndCursorMatched && stabilityMatched;
  return {
    matched,
    matchedText,
    textMatched,
    cursorMatched,
    baselineMatched,
    stabilityMatched,
    contentAndCursorMatched,
  };
}

function matchContent(condition: RenderWaitCondition, visibleText: string): string | null {
  if (condition.text !== undefined) return shows(visibleText, condition.text) ? condition.text : null;
  if (condition.regex === undefined) return null;
  return searchBounded(condition.regex, visibleText.slice(0, SEARCH_WINDOW_CHARACTERS));
}

/**
 * Returns whether the visible text contains `text`. Visible lines have no spaces at their ends, so trailing spaces of a text such
 * as the prompt `$ ` also match the end of a line.
 */
function shows(visibleText: string, text: string): boolean {
  if (visibleText.includes(text)) return true;
  const trimmed = text.replaceAll(/ +$/gm, "");
  if (trimmed.trim() === "") return false;
  const blanks = / *$/.exec(text)?.[0].length ?? 0;
  for (let at = visibleText.indexOf(trimmed); at !== -1; at = visibleText.indexOf(trimmed, at + 1)) {
    const end = at + trimmed.length;
    const [behind = ""] = visibleText.slice(end, end + blanks).split("\n", 1);
    if (behind.trim() === "") return true;
  }
  return false;
}
