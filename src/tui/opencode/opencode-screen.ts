import type { Dialog, Proof } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";

/** The box of the next message, closed by `╹▀▀▀`; the terminal cursor stands in it. */
export interface OpencodeComposer {
  row: number;
  isEditing: Proof;
  /** The row below the box, trimmed. */
  footer: string;
  footerRow: number;
}

const BOX = /^( *)┃/u;
const BOX_BOTTOM = /^ *╹▀{10}/u;
const PLACEHOLDER = /^Ask anything/;
/** Columns from the box's edge to its text. */
const TEXT_OFFSET = 3;

export function readComposer({ lines, cursor }: TuiScreen): OpencodeComposer | null {
  if (cursor === null || !cursor.visible) return null;
  const edge = BOX.exec(lines[cursor.row] ?? "")?.[1]?.length;
  const bottomRow = lines.findLastIndex((line) => BOX_BOTTOM.test(line));
  if (edge === undefined || bottomRow <= cursor.row) return null;
  const inBox = lines.slice(cursor.row, bottomRow);
  if (!inBox.every((line) => BOX.test(line))) return null;
  const textCol = edge + TEXT_OFFSET;
  const text = (lines[cursor.row] ?? "").slice(textCol).trim();
  return {
    row: cursor.row,
    isEditing: editingOf(
      text,
      cursor.col > textCol || (lines[cursor.row - 1] ?? "").slice(textCol).trim() !== "",
    ),
    footer: (lines[bottomRow + 1] ?? "").trim(),
    footerRow: bottomRow + 1,
  };
}

function editingOf(text: string, isCursorBehindText: boolean): Proof {
  if (isCursorBehindText) return "yes";
  if (text === "" || PLACEHOLDER.test(text)) return "no";
  return "unknown";
}

/** The footer turns and names the key while it works. */
export function isWorkingFooter(footer: string): boolean {
  return /^[■⬝]{4,}\s+esc (?:again to )?interrupt\b/u.test(footer);
}

/** What the last Turn's own row says: it is written when the Turn begins, and gets its end later. */
export function readTurnRow(
  { lines }: TuiScreen,
  beforeRow: number,
): { row: number; end: TurnRowEnd } | null {
  const row = lines.findLastIndex((line, index) => index < beforeRow && TURN_ROW.test(line));
  if (row === -1) return null;
  const words = lines[row] ?? "";
  if (words.endsWith(" · interrupted")) return { row, end: "interrupted" };
  return { row, end: / · (?:\d+[hms] ?)*\d+(?:\.\d+)?m?s$/.test(words) ? "timed" : "open" };
}

export type TurnRowEnd = "interrupted" | "timed" | "open";

const TURN_ROW = /^ {5}▣ {2}\S/u;

const ASKS = /^ *┃ {2}△ (.+ required)\b/u;

export function readDialog({ lines }: TuiScreen): { dialog: Dialog; row: number } | null {
  const row = lines.findLastIndex((line) => ASKS.test(line));
  const keysRow = lines.findLastIndex((line) => /\benter confirm$/.test(line));
  if (row === -1 || keysRow < row) return null;
  const heading = lines
    .slice(row, keysRow)
    .map((line) => line.replace(BOX, "").trim())
    .filter((line) => line !== "")
    .join(" ");
  const choices = (lines[keysRow] ?? "")
    .replace(BOX, "")
    .trim()
    .split(/ {2,}/)
    .filter((choice) => /^[A-Z]/.test(choice));
  return { row, dialog: { kind: "permission", heading, choices, selected: null } };
}
