import type { TuiScreen } from "../tui-screen.ts";
import { lookAt } from "./looks.ts";
import { looksLikeMessage, type Paint } from "./rows.ts";

/** The program's own words under a Turn that a person ended. */
const INTERRUPTION =
  /^ *⎿([ \u00a0]+)(?:Interrupted(?: by user)?\b|\[Request interrupted by user|No \(tell Claude what to do differently\)|(?:User )?[Rr]ejected\b)/u;
const REFUSAL = /^[●⏺][ \u00a0](?:User )?(?:rejected|declined)\b/iu;
/** The lower edge of a refused plan, where all else of it has scrolled off. */
const PLAN_EDGE = /^ {5}╰─{4,}╯$/u;

/** After `afterRow`, the last sign of the Turn, or on it; null: the Turn was not interrupted. */
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

/** A quotation has ordinary spaces and the text's own colour; the real row has a grey `⎿` or U+00A0. */
function isInterruption(screen: TuiScreen, row: number, { isPainted }: Paint): boolean {
  const line = screen.lines[row] ?? "";
  // A notice has a grey `●`, or U+00A0 after it; that of an answer is bright.
  if (REFUSAL.test(line)) return line[1] === "\u00a0" || (isPainted && lookAt(screen, row, 0) === "faint");
  const gap = INTERRUPTION.exec(line)?.[1];
  if (gap === undefined) return false;
  if (gap.includes("\u00a0")) return true;
  return isPainted ? lookAt(screen, row, line.indexOf("⎿")) === "faint" : isUnderMessage(screen, row);
}

/** In captures without either it must hang right under the message; anywhere else an answer may quote it. */
function isUnderMessage({ lines }: TuiScreen, row: number): boolean {
  return looksLikeMessage(lines[row - 1] ?? "");
}

/** A plan that fills the screen leaves nothing but itself; the text of an answer is not that far in. */
export function isCutPlan(screen: TuiScreen, row: number, { isPainted }: Paint): boolean {
  return PLAN_EDGE.test(screen.lines[row] ?? "") && isPainted && lookAt(screen, row, 5) === "colored";
}
