import type { TuiScreen } from "../tui-screen.ts";
import { lookAt } from "./looks.ts";
import { looksLikeMessage, type Paint } from "./rows.ts";

/** The line that the program prints under a Turn that a person interrupted. */
const INTERRUPTION =
  /^ *⎿([ \u00a0]+)(?:Interrupted(?: by user)?\b|\[Request interrupted by user|No \(tell Claude what to do differently\)|(?:User )?[Rr]ejected\b)/u;
const REFUSAL = /^[●⏺][ \u00a0](?:User )?(?:rejected|declined)\b/iu;
/** The lower edge of a rejected plan whose other rows have scrolled off. */
const PLAN_EDGE = /^ {5}╰─{4,}╯$/u;

/**
 * Returns the row of the interruption at or after `afterRow`, the last sign of the Turn, or null if the Turn was not interrupted.
 */
export function findInterruption(
  screen: TuiScreen,
  afterRow: number,
  endRow: number,
  paint: Paint,
): number | null {
  for (let row = endRow - 1; row >= Math.max(0, afterRow); row -= 1)
    if (isInterruption(screen, row, paint)) return row;
  return null;
}

/**
 * Returns whether the row is a real interruption, which has a grey `⎿` or U+00A0. A quotation has ordinary spaces and the text's
 * colour.
 */
function isInterruption(screen: TuiScreen, row: number, { isPainted }: Paint): boolean {
  const line = screen.lines[row] ?? "";
  // A notice has a grey `●`, or U+00A0 after it; the `●` of an answer is bright.
  if (REFUSAL.test(line)) return line[1] === "\u00a0" || (isPainted && lookAt(screen, row, 0) === "faint");
  const gap = INTERRUPTION.exec(line)?.[1];
  if (gap === undefined) return false;
  if (gap.includes("\u00a0")) return true;
  return isPainted ? lookAt(screen, row, line.indexOf("⎿")) === "faint" : isUnderMessage(screen, row);
}

/**
 * Returns whether the row is directly under the message. In captures without colours and U+00A0 only such a row counts, because
 * elsewhere an answer may quote it.
 */
function isUnderMessage({ lines }: TuiScreen, row: number): boolean {
  return looksLikeMessage(lines[row - 1] ?? "");
}

/** Returns whether the row ends a plan that fills the screen. The text of an answer is indented less. */
export function isCutPlan(screen: TuiScreen, row: number, { isPainted }: Paint): boolean {
  return PLAN_EDGE.test(screen.lines[row] ?? "") && isPainted && lookAt(screen, row, 5) === "colored";
}
