import type { Dialog } from "../signals.ts";
import { dialogHeading } from "../dialog-heading.ts";
import type { TuiScreen } from "../tui-screen.ts";
import { type Choices, findChoices } from "./choices.ts";
import { isRule } from "./composer.ts";
import { dialogKind } from "./dialog-kind.ts";
import { findOverlay } from "./menu.ts";
import { readAsking } from "./program-report.ts";

/** A question in place of the composer. */
export type Question = { type: "dialog"; dialog: Dialog; row: number } | { type: "picker"; row: number };

const UPPER_EDGE = /^▔{8,}$/u;
/** Rows above which nothing belongs to the heading when the upper edge is not on the screen. */
const HEADING_MAX_ROWS = 30;
/** Rows of a log-in that offers nothing to choose. */
const LOGIN_PAGE = /^\s*(?:Paste code here if prompted|Browser didn.t open\?)/m;
/** Signs before what the model said and what tools printed. */
const TRANSCRIPT = /^\s*[●⏺⎿]/mu;
const COMMAND = /^\/\S/;
const SELECTION_KEYS = /Enter to select · /;
/**
 * The time that is left until Claude Code refuses a request by itself. Without it the heading stays the same while it runs down.
 */
const COUNTDOWN = /\b(automatically block this request) in [^,]{1,20}(?=,)/;

/**
 * Returns the question of a screen without a composer, or null if there is none. Text of the model that imitates a dialog has a
 * composer or a dialog under it, so only the text that belongs to the lowest choices decides the kind.
 */
export function readQuestion(boxed: TuiScreen, lastMessage: string): Question | null {
  const screen = { ...boxed, lines: boxed.lines.map(unboxed) };
  const choices = findChoices(screen);
  const kind = choices === null ? "other" : kindOf(screen, choices);
  const text = screen.lines.join("\n");
  if (kind === "other" && LOGIN_PAGE.test(text) && !TRANSCRIPT.test(text))
    return asDialog("login", screen, choices);
  if (choices === null) return isAsking(screen) ? asDialog("other", screen, null) : null;
  const isPicker =
    (kind === "other" || kind === "question") && isOpenedByPerson(screen, choices, kind, lastMessage);
  return isPicker ? { type: "picker", row: choices.selectedRow } : asDialog(kind, screen, choices);
}

/** Returns whether the program asks something without choices. A dialog may have only a row of keys. */
function isAsking(screen: TuiScreen): boolean {
  return readAsking(screen.programReport) === "asks" && findOverlay(screen) !== null;
}

/** The text box of a picker, and the row of keys under the list of past prompts. */
const SEARCH = /^\s*│? ?⌕ |\bEnter to use · /;

/**
 * Returns whether a person opened the dialog. The program's report decides; without a report, the last message and the picker's
 * rows decide.
 */
function isOpenedByPerson(
  screen: TuiScreen,
  choices: Choices,
  kind: Dialog["kind"],
  lastMessage: string,
): boolean {
  const asking = readAsking(screen.programReport);
  if (asking !== null) return asking === "rests";
  const rows = screen.lines.slice(upperEdge(screen, choices) + 1);
  return kind === "other" && (COMMAND.test(lastMessage) || rows.some((row) => SEARCH.test(row)));
}

function kindOf(screen: TuiScreen, choices: Choices): Dialog["kind"] {
  const isSelection = screen.lines.slice(choices.selectedRow).some((line) => SELECTION_KEYS.test(line));
  return dialogKind(headingLines(screen, choices), choices.labels, isSelection);
}

const ASKS = /\bdo you want\b|\bwould you like\b/i;
const FLUSH_CHOICE = /^[❯>] \d+\. \S/;
const FLUSH_KEYS = /\besc to cancel\b/i;

/**
 * Returns the row of a question directly over the box, with choices at the left edge, in captures of old layouts; null if there
 * is none. A screen with a cursor is live: its transcript has a blank row above the box and indents quotations, so it is not
 * searched.
 */
export function findQuestionOverBox({ lines, cursor }: TuiScreen, topRow: number): number | null {
  if (cursor !== null) return null;
  const from = lines.findLastIndex((line, row) => row < topRow && line.trim() === "") + 1;
  const flush = lines.slice(from, topRow);
  const isAsked = flush.some((line) => FLUSH_CHOICE.test(line)) && flush.some((line) => ASKS.test(line));
  return isAsked || flush.some((line) => FLUSH_KEYS.test(line)) ? topRow - 1 : null;
}

/** Returns a line without the frame that Claude Code 1.x draws around questions. */
function unboxed(line: string): string {
  return /^[╭╰]─{8,}[╮╯]$/u.test(line) ? "─".repeat(line.length) : line.replace(/^│(.*)│$/u, " $1").trimEnd();
}

function asDialog(kind: Dialog["kind"], screen: TuiScreen, choices: Choices | null): Question {
  const { labels, selected, selectedRow } = choices ?? NO_CHOICES;
  const heading = dialogHeading(headingLines(screen, choices).join(" ").replace(COUNTDOWN, "$1"));
  return {
    type: "dialog",
    dialog: { kind, heading, choices: labels, selected },
    row: Math.max(0, selectedRow),
  };
}

const NO_CHOICES = { labels: [], selected: null, selectedRow: 0 };

/** Returns the rows between the dialog's upper edge and the choices, without rules and empty rows. */
function headingLines(screen: TuiScreen, choices: Choices | null): string[] {
  const edge = upperEdge(screen, choices);
  return screen.lines
    .slice(edge + 1, choices?.firstRow)
    .slice(edge === -1 ? -HEADING_MAX_ROWS : 0)
    .map((row) => row.trim())
    .filter((row) => row !== "" && !/^╌+$/u.test(row));
}

/** Returns the row of the dialog's upper edge; -1: it is not on the screen. A rule in the text of a file is indented. */
function upperEdge({ lines }: TuiScreen, choices: Choices | null): number {
  return lines.slice(0, choices?.firstRow).findLastIndex((row) => isRule(row) || UPPER_EDGE.test(row));
}
