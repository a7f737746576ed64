import type { Dialog } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";

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
/** Dialogs are short. The limit prevents the whole screen from becoming the heading when no upper edge is recognised. */
const HEADING_MAX_ROWS = 20;
const HEADING_MAX_CHARACTERS = 400;

/** The pattern of a question that no kind matches. */
const ASKS = /\w\?(?:\s|$)|\bstill running\b/i;

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
 * Reads a dialog or picker at the bottom of the screen; null if there is none. Codex hides the cursor while one is open,
 * so a look-alike with the cursor in the composer is a quotation. Call it only for screens without a composer.
 */
export function readOverlay({ lines }: TuiScreen): Overlay | null {
  const bottom = lines.findLastIndex((line) => line !== "");
  const keysRow = lines.findLastIndex((line, row) => row > bottom - KEYS_MAX_DISTANCE && KEYS.test(line));
  const boxedRow = lines.findLastIndex(
    (line, row) => row > bottom - KEYS_MAX_DISTANCE && BOXED_APPROVAL.test(line),
  );
  const selectedRow = lines.findLastIndex((line) => CHOICE.exec(line)?.[1] !== undefined);
  const isListAtBottom = selectedRow !== -1 && lines.slice(selectedRow + 1).every(isBelowSelected);
  if (keysRow === -1 && boxedRow === -1 && !isListAtBottom) return null;
  const row = Math.max(keysRow, boxedRow, selectedRow);
  const dialog = readDialog(lines, row);
  const isPicker = dialog.kind === "other" && !ASKS.test(dialog.heading);
  return isPicker ? { type: "menu", row } : { type: "dialog", dialog, row };
}

function isBelowSelected(line: string): boolean {
  return line === "" || line === "↓" || line.startsWith("  ");
}

function readDialog(lines: readonly string[], endRow: number): Dialog {
  const choiceRows = lines.flatMap((line, row) => (row <= endRow && CHOICE.test(line) ? [row] : []));
  const list = lastRun(lines, choiceRows);
  const matches = list.map((row) => CHOICE.exec(lines[row] ?? ""));
  const selected = matches.findIndex((match) => match?.[1] !== undefined);
  const heading = headingOf(lines.slice(0, list[0] ?? endRow + 1));
  const choices = matches.map((match) => match?.[2] ?? "");
  const words = [heading, ...choices].join(" ");
  const kind = KINDS.find(([, pattern]) => pattern.test(words))?.[0] ?? "other";
  return { kind, heading, choices, selected: selected === -1 ? null : selected };
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

function headingOf(above: readonly string[]): string {
  const own = above.slice(-HEADING_MAX_ROWS);
  const start = own.findLastIndex((line) => /^[•›■✔✗]/u.test(line));
  return own
    .slice(start + 1)
    .map((line) => line.replace(BOX_EDGE, "").trim())
    .filter((line) => line !== "")
    .join(" ")
    .slice(-HEADING_MAX_CHARACTERS);
}
