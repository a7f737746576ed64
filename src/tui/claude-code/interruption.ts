import type { TuiScreen } from "../tui-screen.ts";
import { lookAt } from "./looks.ts";
import type { Paint } from "./rows.ts";

/** The program's own words under a Turn that a person ended. */
const INTERRUPTION =
  /^ *⎿([ \u00a0]+)(?:Interrupted(?: by user)?\b|\[Request interrupted by user|No \(tell Claude what to do differently\)|(?:User )?[Rr]ejected\b)/u;
/** The program's own `●` is followed by U+00A0, that of an answer by an ordinary space. */
const REFUSAL = /^[●⏺]\u00a0User (?:rejected|declined)\b/u;

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
  if (REFUSAL.test(line)) return true;
  const gap = INTERRUPTION.exec(line)?.[1];
  if (gap === undefined) return false;
  if (gap.includes("\u00a0")) return true;
  return isPainted ? lookAt(screen, row, line.indexOf("⎿")) === "faint" : isUnderText(screen, row);
}

/** It follows what it ended without a blank row; in an answer it would be a paragraph of its own. */
function isUnderText({ lines }: TuiScreen, row: number): boolean {
  return (lines[row - 1] ?? "").trim() !== "";
}
