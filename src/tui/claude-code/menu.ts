import type { TuiScreen } from "../tui-screen.ts";
import type { Composer } from "./composer.ts";
import { isOtherMode } from "./draft.ts";

/** A row of the command list: under the box in 2.1.197, above it in 2.1.329. */
const COMMAND = /^ {0,4}(?:❯ )?\/[\w:.-]+(?: \([^)]*\))?(?: {2,}\S.*)?$/;
/** A file, directory or tool that completes a word that begins with `@`. */
const MENTION = /^ {0,4}(?:❯ )?[+*◇] \S/u;
/** The panel that `?` opens. In another mode the same row names that mode. */
const SHORTCUTS = /^ {0,4}[!/@&#] for [a-z]/;
const HISTORY = /^ {0,4}(?:search prompts|\(reverse-i-search\)|bck-i-search):/i;

/** Returns the row of a list next to the box, or null if there is none. */
export function findPromptMenu(screen: TuiScreen, composer: Composer, draft: string): number | null {
  const { lines } = screen;
  const { topRow, bottomRow } = composer;
  const hasPanel = !isOtherMode(screen, composer);
  const isMenuRow = (line: string): boolean =>
    isListRow(line, draft) || HISTORY.test(line) || (hasPanel && SHORTCUTS.test(line));
  const below = lines.findIndex((line, row) => row > bottomRow && isMenuRow(line));
  if (below !== -1) return below;
  // A blank row separates a quotation in an answer from the box; the list has none.
  const from = lines.findLastIndex((line, row) => row < topRow && line.trim() === "") + 1;
  const isListed = lines.slice(from, topRow).some((line) => line.startsWith("  ") && isListRow(line, draft));
  return isListed ? from : null;
}

function isListRow(line: string, draft: string): boolean {
  return (draft.startsWith("/") && COMMAND.test(line)) || (draft.includes("@") && MENTION.test(line));
}

/** The pattern of the last rows of pickers, panels and the transcript view, which name the keys that they take. */
const OVERLAY_KEYS =
  /\b(?:esc|escape|ctrl\+c|q)\b(?:\/\S+)? to (?:cancel|close|exit|go back|return|dismiss|quit)|ctrl\+o to toggle|Showing detailed transcript/i;
const LAST_ROWS = 4;
/** The list of sessions has its own box: text typed there starts another session. */
const SESSIONS_TITLE = /(?:^|· )claude agents$/;
const SESSIONS_HEADER = /^ ?[▐▝▘█▛▜▀▌ ]+ .*\b\d+ awaiting input\b/u;
const SESSIONS_HEADER_ROWS = 8;
const SESSIONS_BOX = /^❯[\u00a0 ]describe a task for a new session\b/;

/** Returns the row that distinguishes the list of sessions from a session, or null if there is none. */
export function findSessionList({ lines, title }: TuiScreen, { promptRow }: Composer): number | null {
  if (SESSIONS_BOX.test(lines[promptRow] ?? "") || SESSIONS_TITLE.test(title)) return promptRow;
  const header = lines.slice(0, SESSIONS_HEADER_ROWS).findIndex((line) => SESSIONS_HEADER.test(line));
  return header === -1 ? null : header;
}

/** Returns the row that names an overlay on a screen without a composer, or null if there is none. */
export function findOverlay({ lines }: TuiScreen): number | null {
  const lastRow = lines.findLastIndex((line) => line.trim() !== "");
  for (let row = lastRow; row > Math.max(-1, lastRow - LAST_ROWS); row -= 1)
    if (OVERLAY_KEYS.test(lines[row] ?? "")) return row;
  return null;
}
