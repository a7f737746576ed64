import type { Dialog } from "../signals.ts";
import { dialogHeading } from "../dialog-heading.ts";
import type { TuiScreen } from "../tui-screen.ts";
import { looksLikeWorkedFor } from "./blocks.ts";
import { readProgramState } from "./program-state.ts";
import { hasAttribute, isPlainRow } from "./styles.ts";

/** A view in place of the composer. */
export type Overlay =
  | { type: "dialog"; dialog: Dialog; row: number }
  /** A picker or view: Enter would choose, but nothing asks for consent. */
  | { type: "menu"; row: number };

const CHOICE = /^\s{0,4}(›)?\s*\d+\. (\S.*)$/;
/** The pattern of a dialog's last row, which names its keys. */
const KEYS =
  /\b(?:press )?enter (?:to )?(?:confirm|continue|select|submit|run|apply)\b|\besc (?:to )?(?:cancel|back|go back|close|dismiss)\b|\bConfirm with\b|\[[yY]\/[nN]\]|\byes \(y\)/i;
const BOXED_APPROVAL = /^[│┃ ]*\[a\] Accept\b/;
const BOX_EDGE = /^\s*[╭╰╮╯│┃┏┗━─]/u;
/** The largest distance, in rows, of the keys from the bottom of the screen's text. */
const KEYS_MAX_DISTANCE = 3;
/** Rows above which nothing belongs to the heading when neither an upper edge nor the question is recognised. */
const HEADING_MAX_ROWS = 20;

/** The pattern of a question that no kind matches. */
const ASKS = /\w\?(?:\s|$)|\bstill running\b/i;

/**
 * The rows that begin a question of two kinds. The first one decides: below it the program quotes a command and reasons of the
 * model, which must not choose the kind.
 */
const QUESTIONS: readonly [Dialog["kind"], RegExp][] = [
  ["permission", /^(?:Would you like|Do you want) to\b/i],
  ["question", /^(?:Question|Field) \d+\/\d+/],
];
/** The patterns of all other dialogs, whose text is the program's own. */
const KINDS: readonly [Dialog["kind"], RegExp][] = [
  ["trust", /\btrust\b.*(?:folder|directory|contents|files)|Folder access|to work in this folder/i],
  ["update", /\bUpdate (?:available|now)\b/i],
  ["login", /\bSign in with\b|\bsigned? in\b|Provide your own API key/i],
  [
    "permission",
    /\b(?:would you like to|do you want to|allow\b.*\?|approval required|grant\b|apply changes\?)/i,
  ],
  ["question", /\bQuestion \d+\/\d+|\bField \d+\/\d+/],
];

/**
 * Returns the dialog or picker at the bottom of the screen, or null if there is none. Codex hides the cursor while one is open,
 * so a look-alike with the cursor in the composer is a quotation. Call it only for screens without a composer.
 */
export function readOverlay(screen: TuiScreen): Overlay | null {
  const { lines } = screen;
  const bottom = lines.findLastIndex((line) => line !== "");
  const keysRow = lines.findLastIndex((line, row) => row > bottom - KEYS_MAX_DISTANCE && KEYS.test(line));
  const boxedRow = lines.findLastIndex(
    (line, row) => row > bottom - KEYS_MAX_DISTANCE && BOXED_APPROVAL.test(line),
  );
  const selectedRow = lines.findLastIndex((line) => CHOICE.exec(line)?.[1] !== undefined);
  const isListAtBottom = selectedRow !== -1 && lines.slice(selectedRow + 1).every(isBelowSelected);
  if (keysRow === -1 && boxedRow === -1 && !isListAtBottom) return null;
  const row = Math.max(keysRow, boxedRow, selectedRow);
  const dialog = readDialog(screen, row);
  return isPicker(screen, dialog) ? { type: "menu", row } : { type: "dialog", dialog, row };
}

/** Returns whether a person opened a picker. Its rows may speak of permissions, but the program then reports that it rests. */
function isPicker(screen: TuiScreen, { kind, heading }: Dialog): boolean {
  const program = readProgramState(screen, false);
  if (program === "blocked" || ASKS.test(heading)) return false;
  return kind === "other" || (program !== null && program !== "working");
}

function isBelowSelected(line: string): boolean {
  return line === "" || line === "↓" || line.startsWith("  ");
}

function readDialog(screen: TuiScreen, endRow: number): Dialog {
  const { lines } = screen;
  const choiceRows = lines.flatMap((line, row) => (row <= endRow && CHOICE.test(line) ? [row] : []));
  const list = lastRun(lines, choiceRows);
  const matches = list.map((row) => CHOICE.exec(lines[row] ?? ""));
  const selected = matches.findIndex((match) => match?.[1] !== undefined);
  const rows = headingRows(screen, list[0] ?? endRow + 1);
  const choices = matches.map((match) => match?.[2] ?? "");
  const kind = kindOf(screen, rows, choices);
  return {
    kind,
    heading: dialogHeading(rows.join(" ")),
    choices,
    selected: selected === -1 ? null : selected,
  };
}

const PERMISSION_REPORT = /^state=blocked\b.*:kind=permission\b/;

function kindOf(
  { programReport }: TuiScreen,
  rows: readonly string[],
  choices: readonly string[],
): Dialog["kind"] {
  const asked = questionIn(rows);
  if (asked !== null) return asked.kind;
  if (PERMISSION_REPORT.test(programReport ?? "")) return "permission";
  const words = [...rows, ...choices].join(" ");
  return KINDS.find(([, pattern]) => pattern.test(words))?.[0] ?? "other";
}

/** Returns the first row that begins a question, with its kind, or null if there is none. */
function questionIn(rows: readonly string[]): { kind: Dialog["kind"]; index: number } | null {
  for (const [index, row] of rows.entries()) {
    const kind = QUESTIONS.find(([, pattern]) => pattern.test(row))?.[0];
    if (kind !== undefined) return { kind, index };
  }
  return null;
}

/** Returns the rows of the last consecutive choices. A long choice continues indented on the next row. */
function lastRun(lines: readonly string[], rows: readonly number[]): number[] {
  const run: number[] = [];
  for (const row of rows.toReversed()) {
    const next = run[0];
    if (next !== undefined && lines.slice(row + 1, next).some((line) => !line.startsWith("   "))) break;
    run.unshift(row);
  }
  return run;
}

/** Returns the rows between the transcript's last entry and the choices, without their frame and empty rows. */
function headingRows(screen: TuiScreen, endRow: number): string[] {
  const above = screen.lines.slice(0, endRow);
  const isStyled = above.some((_, row) => !isPlainRow(screen, row));
  const isEdge = (line: string, row: number): boolean =>
    /^[•›■✔✗]/u.test(line) ||
    (looksLikeWorkedFor(line) && (!isStyled || hasAttribute(screen, row, 2, "dim")));
  const edge = above.findLastIndex(isEdge);
  const rows = above
    .slice(edge + 1)
    .map((line) => line.replace(BOX_EDGE, "").trim())
    .filter((line) => line !== "");
  const lastRows = Math.max(0, rows.length - HEADING_MAX_ROWS);
  return rows.slice(Math.min(lastRows, questionIn(rows)?.index ?? lastRows));
}
