import type { ActiveReason, Evidence } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";
import type { Composer } from "./composer.ts";
import type { LatestTurn } from "./latest-turn.ts";
import { readReport, readTitle } from "./program-report.ts";
import type { QueuedMessages } from "./queued-messages.ts";
import { isWaitingForOthers } from "./rows.ts";

export interface ActiveSign {
  reason: ActiveReason;
  /** null: the sign is not on the screen. */
  row: number | null;
  text: string;
}

/** At 60 columns the hint is cut off. The rows of the box are not searched, because a draft may quote the hint. */
const FOOTER_HINT = /(?:^ {0,4}|[·(] ?| {2})(?:esc|ctrl\+c) (?:to (?:interrupt|i?[a-z]{0,8}…)|…|t…)/;

/**
 * Returns the signs of work outside the screen: the title and the program's report. No text on the screen can imitate
 * them.
 */
export function outOfBandSigns({ title, programReport }: TuiScreen): ActiveSign[] {
  const signs: ActiveSign[] = [];
  if (readTitle(title) === "working") signs.push({ reason: "title_spinner", row: null, text: title });
  if (readReport(programReport) === "working")
    signs.push({ reason: "program_report", row: null, text: programReport ?? "" });
  return signs;
}

/** Returns the signs that each prove work by their position and style. */
export function provenSigns(screen: TuiScreen, composer: Composer, turn: LatestTurn): ActiveSign[] {
  const { lines } = screen;
  const signs = outOfBandSigns(screen);
  const hint = lines.findIndex((line, row) => row > composer.bottomRow && FOOTER_HINT.test(line));
  if (hint !== -1) signs.push({ reason: "interruptable_footer", row: hint, text: lines[hint] ?? "" });
  if (turn.tail.type === "spinner") signs.push(spinnerSign(turn.tail.row, lines[turn.tail.row] ?? ""));
  if (composer.prompt === "dimmed")
    signs.push({ reason: "dimmed_prompt", row: composer.promptRow, text: lines[composer.promptRow] ?? "" });
  return signs;
}

function spinnerSign(row: number, text: string): ActiveSign {
  return { reason: isWaitingForOthers(text) ? "collaboration_cell" : "spinner_row", row, text };
}

/**
 * Returns signs of work for a screen without colours whose title does not show rest. Only the transcript can then prove work: an
 * open Turn that grows, or that has not begun to answer.
 */
export function inferredSigns(
  { lines }: TuiScreen,
  { tail }: LatestTurn,
  { queued, isGrowing }: { queued: QueuedMessages; isGrowing: boolean },
): ActiveSign[] {
  if (queued.row !== null && queued.pending === "yes")
    return [{ reason: "queue_hint", row: queued.row, text: lines[queued.row] ?? "" }];
  if (tail.type !== "output" && tail.type !== "message") return [];
  const text = lines[tail.row] ?? "";
  if (/⎿[ \u00a0]+(?:Running|Waiting)…/u.test(text))
    return [{ reason: "in_flight_tool_cell", row: tail.row, text }];
  if (isGrowing) return [{ reason: "transcript_growth", row: tail.row, text }];
  return [];
}

/** Returns a sign of work as evidence. */
export function asEvidence({ row, text }: ActiveSign): Evidence {
  return { signal: "active", row, text };
}
