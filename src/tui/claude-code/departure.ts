import type { TuiScreen } from "../tui-screen.ts";
import type { Composer } from "./composer.ts";
import { isRule } from "./composer.ts";

/** The TUI's last words in the main screen. */
const FAREWELL = /^claude (?:--?\S+ (?:[^-\s]\S* )?){0,6}--resume \S/;
const SHELL_PROMPT = /[$#%❯>] ?$/;
/** What a shell says of a program that was killed, right where that program's cursor stood. */
const SUSPENDED = /\bsuspended\. Run `fg`/;
const OBITUARY =
  /(?:^|[ \u00a0])(?:Killed|Terminated|Hangup|Aborted|Segmentation fault)(?: \(core dumped\))?$|\bkilled {2,}\S/;

/**
 * The row that proves that the TUI is gone; null: nothing does. A TUI that was killed leaves its whole picture, title
 * and hidden cursor behind; the next shell writes over it from where the cursor stood. A hidden cursor by itself proves
 * nothing: it strays over the whole screen while a frame is painted.
 */
export function findDeparture(screen: TuiScreen, composer: Composer | null): number | null {
  const { lines, cursor } = screen;
  const afterRow = composer?.bottomRow ?? -1;
  // A capture without a cursor is not known to be of now: whether the program lives is left to those who ask (H14).
  if (cursor === null) return null;
  const farewell = lines.findIndex((line, row) => row > afterRow && FAREWELL.test(line));
  if (farewell !== -1 && cursor.row > farewell) return farewell;
  if (cursor.row <= afterRow) return null;
  const typed = (lines[cursor.row] ?? "").slice(0, cursor.col);
  const isPrompt = SHELL_PROMPT.test(typed);
  if (cursor.visible && (composer !== null || (isPrompt && lines.some(isTrace)))) return cursor.row;
  const isKilled = lines.slice(afterRow + 1, cursor.row + 1).some((line) => OBITUARY.test(line));
  return isPrompt && isKilled ? cursor.row : null;
}

/** What a TUI leaves in the main screen. */
function isTrace(line: string): boolean {
  return isRule(line) || SUSPENDED.test(line);
}
