import type { TuiScreen } from "../tui-screen.ts";
import type { Composer } from "./composer.ts";
import { isRule } from "./composer.ts";

/** The TUI's farewell line in the main screen. */
const FAREWELL = /^claude (?:--?\S+ (?:[^-\s]\S* )?){0,6}--resume \S/;
const SHELL_PROMPT = /[$#%❯>] ?$/;
/** The line that a shell prints about a program that was stopped, at that program's cursor position. */
const SUSPENDED = /\bsuspended\. Run `fg`/;
const OBITUARY =
  /(?:^|[ \u00a0])(?:Killed|Terminated|Hangup|Aborted|Segmentation fault)(?: \(core dumped\))?$|\bkilled {2,}\S/;

/**
 * Returns the row that proves that the TUI has ended, or null if there is none. A killed TUI leaves its whole picture, its title
 * and the hidden cursor; the next shell overwrites the picture from the cursor position on. A hidden cursor alone proves nothing,
 * because the cursor moves over the whole screen during a repaint.
 */
export function findDeparture(screen: TuiScreen, composer: Composer | null): number | null {
  const { lines, cursor } = screen;
  const afterRow = composer?.bottomRow ?? -1;
  // A capture without a cursor may be old. The process probe then decides whether the program is alive (H14).
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

/** Matches the traces that a TUI leaves in the main screen. */
function isTrace(line: string): boolean {
  return isRule(line) || SUSPENDED.test(line);
}
