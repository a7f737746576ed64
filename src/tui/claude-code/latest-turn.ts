import type { TuiScreen } from "../tui-screen.ts";
import { findFailure } from "./failure.ts";
import { hasBackground, hasColor } from "./looks.ts";
import { findInterruption, isCutPlan } from "./interruption.ts";
import { isMessage, kindOf, looksLikeMessage, type Paint } from "./rows.ts";

/** The part of the latest Turn that is on the screen, from its message down to the composer. */
export interface LatestTurn {
  /** null: the message has scrolled off, or there was none. */
  messageRow: number | null;
  message: string;
  tail: TurnTail;
  /** The Turn's text without white space, bounded at its end, so that wrapping and scrolling hardly change it. */
  text: string;
}

/** The last entry of the Turn. */
export type TurnTail =
  | { type: "nothing" }
  /** The message with nothing after it. */
  | { type: "message"; row: number }
  | { type: "spinner"; row: number }
  | { type: "interrupted"; row: number }
  | { type: "failed"; row: number; error: string }
  | { type: "completed"; row: number }
  /** An answer or a tool's output without an end. */
  | { type: "output"; row: number };

const TEXT_MAX = 400;
/** Notices that the TUI shows on its own initiative after the end of a Turn. */
const NOTICE = /^[※▎]/u;
const BANNER = /^(?: {0,2}[▐▝▘]|[╭│╰])/u;

/** Returns the latest Turn. `endRow` is the first row below the transcript. */
export function readLatestTurn(screen: TuiScreen, endRow: number): LatestTurn {
  const paint = paintOf(screen, endRow);
  const messageRow = lastRow(
    endRow,
    -1,
    (row) => isMessage(screen, row, paint) && !isQueued(screen, row, endRow),
  );
  const tail = readTail(screen, messageRow, endRow, paint);
  const from = Math.max(0, messageRow);
  return {
    messageRow: messageRow === -1 ? null : messageRow,
    message: messageRow === -1 ? "" : (screen.lines[messageRow] ?? "").slice(2),
    tail,
    text: textOf(screen.lines.slice(from, "row" in tail ? tail.row + 1 : endRow)),
  };
}

/** Returns whether a message waits in the queue: 2.1.329 lists it among the past messages. */
export function isQueued({ lines }: TuiScreen, row: number, endRow: number): boolean {
  const below = lines
    .slice(row + 1, endRow)
    .findIndex((line) => !/^ {2}\S/.test(line) || /^ {2}⎿/.test(line));
  return /^ {2}⎿[ \u00a0]+Queued\b/.test(lines[row + 1 + Math.max(0, below)] ?? "");
}

function readTail(screen: TuiScreen, messageRow: number, endRow: number, paint: Paint): TurnTail {
  const signRow = lastRow(endRow, messageRow, (row) => isSignRow(screen, row, messageRow));
  const interruptedRow = findInterruption(screen, Math.max(signRow, messageRow), endRow, paint);
  if (interruptedRow !== null) return { type: "interrupted", row: interruptedRow };
  const kind = signRow === -1 ? "other" : kindOf(screen, signRow, paint);
  if (kind === "spinner") return { type: "spinner", row: signRow };
  const failure = findFailure(screen, messageRow, kind === "completion" ? signRow : endRow, paint);
  if (failure !== null) return { type: "failed", ...failure };
  if (kind === "completion") return { type: "completed", row: signRow };
  const open = openTail(screen, messageRow, endRow);
  const isRefused = open.type === "output" && signRow === -1 && isCutPlan(screen, open.row, paint);
  return isRefused ? { type: "interrupted", row: open.row } : open;
}

function openTail(screen: TuiScreen, messageRow: number, endRow: number): TurnTail {
  const { lines } = screen;
  const row = lastRow(
    endRow,
    -1,
    (index) => (lines[index] ?? "").trim() !== "" && !isSide(lines[index] ?? ""),
  );
  if (row === -1 || (messageRow === -1 && BANNER.test(lines[row] ?? ""))) return { type: "nothing" };
  return isOfMessage(screen, messageRow, row) ? { type: "message", row } : { type: "output", row };
}

/**
 * Returns whether a row belongs to the message, which may take several rows. A message without a background ends at a blank row
 * or at a result under it.
 */
function isOfMessage(screen: TuiScreen, messageRow: number, row: number): boolean {
  if (messageRow === -1) return false;
  if (hasBackground(screen, row, 0)) return true;
  const rows = screen.lines.slice(messageRow + 1, row + 1);
  return rows.every((line) => line.trim() !== "" && !/^\s*[⎿●⏺]/u.test(line));
}

/** Returns whether a row has a sign or text in column 0. */
function isSignRow(screen: TuiScreen, row: number, messageRow: number): boolean {
  const line = screen.lines[row] ?? "";
  if (line === "" || line.startsWith(" ") || NOTICE.test(line)) return false;
  // Old versions wrap messages into column 0.
  return messageRow === -1 || !isOfMessage(screen, messageRow, row);
}

/** Returns whether a row has text at the right edge only, such as the effort or a version. */
function isSide(line: string): boolean {
  return /^ {24,}\S/.test(line) || NOTICE.test(line);
}

function paintOf(screen: TuiScreen, endRow: number): Paint {
  const rows = Array.from({ length: endRow + 1 }, (_, row) => row);
  const messages = rows.filter((row) => looksLikeMessage(screen.lines[row] ?? ""));
  return {
    isPainted: hasColor(screen, rows.slice(-1)),
    hasMessageBackground: messages.some((row) => hasBackground(screen, row, 2)),
  };
}

/** Returns the last row between `afterRow` and `endRow` that matches; -1: none. */
function lastRow(endRow: number, afterRow: number, holds: (row: number) => boolean): number {
  for (let row = endRow - 1; row > afterRow; row -= 1) if (holds(row)) return row;
  return -1;
}

function textOf(lines: readonly string[]): string {
  return lines.join("").replaceAll(/\s+/g, "").slice(-TEXT_MAX);
}
