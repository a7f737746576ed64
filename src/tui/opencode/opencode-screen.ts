import type { CellColor } from "agent-tty";
import { hasHue } from "../hue.ts";
import type { Dialog, Proof } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";

/** The box of the next message, closed by `╹▀▀▀`, with the terminal cursor in it. */
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

/** Returns the composer, or null if there is none. */
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

/** Returns whether the footer shows work: its blocks change, next to the key that interrupts or to the error that is retried. */
export function isWorkingFooter(footer: string): boolean {
  return /^[■⬝]{4,}(?:\s|$)/u.test(footer);
}

/** Returns the last Turn's row, or null if there is none. It is written when the Turn begins and completed at its end. */
export function readTurnRow({ lines }: TuiScreen, beforeRow: number): TurnRow | null {
  const row = lines.findLastIndex((line, index) => index < beforeRow && TURN_ROW.test(line));
  if (row === -1) return null;
  const words = lines[row] ?? "";
  if (words.endsWith(" · interrupted")) return { row, end: "interrupted" };
  return { row, end: / · (?:\d+[hms] ?)*\d+(?:\.\d+)?m?s$/.test(words) ? "timed" : "open" };
}

/**
 * Returns the error that ended a Turn, or null if there is none. It is in a box directly above the Turn's row, whose edge has a
 * colour unlike the prompt's. The edge of a tool's output has no hue.
 */
export function readErrorBox(screen: TuiScreen, turnRow: number, composerRow: number): string | null {
  const { lines } = screen;
  const last = lines.findLastIndex((line, row) => row < turnRow && line.trim() !== "");
  if (!BOX.test(lines[last] ?? "")) return null;
  const first = lines.findLastIndex((line, row) => row < last && !BOX.test(line)) + 1;
  const edge = edgeColor(screen, last);
  if (edge === undefined || !hasHue(edge) || edge === edgeColor(screen, composerRow)) return null;
  const text = lines.slice(first, last + 1).map((line) => line.replace(BOX, "").trim());
  return text.filter((line) => line !== "").join(" ") || null;
}

function edgeColor(screen: TuiScreen, row: number): CellColor | undefined {
  return screen.cellsOf(row)[(screen.lines[row] ?? "").indexOf("┃")]?.style.fg;
}

const SHELL_PROMPT = /[$#%❯>] ?$/;
/** The largest distance, in rows, between a shell's cursor and the box that it writes over. */
const TRACE_ROWS = 8;

/**
 * Returns the row of a shell's prompt, written over the box of a killed TUI, or null if there is none. The live prompt keeps the
 * cursor in a row of its box.
 */
export function findDeparture({ lines, cursor }: TuiScreen): number | null {
  if (cursor === null || !cursor.visible || BOX.test(lines[cursor.row] ?? "")) return null;
  if (!SHELL_PROMPT.test((lines[cursor.row] ?? "").slice(0, cursor.col))) return null;
  const near = lines.slice(Math.max(0, cursor.row - TRACE_ROWS), cursor.row + TRACE_ROWS);
  return near.some((line) => BOX_BOTTOM.test(line)) ? cursor.row : null;
}

export interface TurnRow {
  row: number;
  end: "interrupted" | "timed" | "open";
}

const TURN_ROW = /^ {5}▣ {2}\S/u;

const ASKS = /^ *┃ {2}△ (.+ required)\b/u;

/** Returns the open dialog and the row at which it begins, or null if there is none. */
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
