import type { TuiScreen } from "../tui-screen.ts";
import type { Composer } from "./composer.ts";
import { isRule } from "./composer.ts";

/** The TUI's last words in the main screen. */
const FAREWELL = /^claude (?:--?\S+ (?:[^-\s]\S* )?){0,6}--resume \S/;
const SHELL_PROMPT = /[$#%] ?$/;
const SIGNAL_WORDS =
  /(?:^|[ \u00a0])(?:Killed|Terminated|Hangup|Aborted|Segmentation fault)(?: \(core dumped\))?$/;

/**
 * The row that proves that the TUI is gone; null: nothing does. A TUI that was killed leaves its whole picture, title
 * and hidden cursor behind; the next shell writes over it from where the cursor stood.
 */
export function findDeparture(screen: TuiScreen, composer: Composer | null): number | null {
  const { lines, cursor } = screen;
  const afterRow = composer?.bottomRow ?? -1;
  // A capture without a cursor is not known to be of now: whether the program lives is left to those who ask (H14).
  if (cursor === null) return null;
  const farewell = lines.findIndex((line, row) => row > afterRow && FAREWELL.test(line));
  if (farewell !== -1 && cursor.row > farewell) return farewell;
  const typed = (lines[cursor.row] ?? "").slice(0, cursor.col);
  if (composer !== null) {
    const isBelow = cursor.row > afterRow;
    return isBelow && (cursor.visible || typed.trim() !== "") ? cursor.row : null;
  }
  const isOver = SHELL_PROMPT.test(typed) && lines.some((line) => isRule(line) || SIGNAL_WORDS.test(line));
  return isOver ? cursor.row : null;
}
