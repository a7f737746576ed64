import type { TuiScreen } from "../tui-screen.ts";
import { lookAt } from "./looks.ts";

/**
 * The kind of one row of the transcript, by its sign in column 0 and, where the program uses colours, by its colour.
 */
export type RowKind = "message" | "spinner" | "completion" | "block" | "other";

/** Whether the program uses colours; without colours only the text can be read. */
export interface Paint {
  isPainted: boolean;
  /** Whether messages have a background that identifies them. */
  hasMessageBackground: boolean;
}

/** An ordinary space follows the sign of a past message, U+00A0 follows the sign of the live prompt. */
const MESSAGE = /^[❯>!] \S/;
const SPINNER = /^[·✢✳✶✻✽*] \S.*(?:…(?: \(.*| *)?$| · retrying in )/iu;
/** With reduced motion the sign does not change; the time in brackets distinguishes it from an answer. */
const STILL_SPINNER = /^[●⏺] \S[^…]{0,80}… \((?:\d+[hms] ?)+/u;
/** The model goes on by itself when they have finished. */
const WAITING = /^[·✢✳✶✻✽*] Waiting for \d+ (?:background agent|dynamic workflow)s?\b/u;
const COMPLETION = /^[·✢✳✶✻✽*] \p{L}[\p{L}’'-]* for (?:\d+[dhms] ?)+(?:$|·)/u;
const BLOCK = /^[●⏺](?:[ \u00a0]|$)/u;

/** Returns the kind of a row of the transcript. */
export function kindOf(screen: TuiScreen, row: number, paint: Paint): RowKind {
  const line = screen.lines[row] ?? "";
  if (isMessage(screen, row, paint)) return "message";
  if (COMPLETION.test(line)) return isOwnSign(screen, row, paint) ? "completion" : "other";
  if (SPINNER.test(line) || WAITING.test(line)) return isOwnSign(screen, row, paint) ? "spinner" : "other";
  if (STILL_SPINNER.test(line) && isOwnText(screen, row, paint)) return "spinner";
  return BLOCK.test(line) ? "block" : "other";
}

/** Returns whether the row begins a message, by its text and its background. */
export function isMessage(screen: TuiScreen, row: number, { hasMessageBackground }: Paint): boolean {
  if (!MESSAGE.test(screen.lines[row] ?? "")) return false;
  return !hasMessageBackground || screen.cellsOf(row)[2]?.style.bg !== "default";
}

/** Returns whether a spinner row says that the Turn waits for others that it started. */
export function isWaitingForOthers(line: string): boolean {
  return WAITING.test(line);
}

/** Returns whether the text alone looks like the beginning of a message. */
export function looksLikeMessage(line: string): boolean {
  return MESSAGE.test(line);
}

/**
 * Returns whether the sign in column 0 is the program's own. Old versions wrap answers into column 0; their text is plain, while
 * the program's own signs are styled.
 */
function isOwnSign(screen: TuiScreen, row: number, { isPainted }: Paint): boolean {
  return !isPainted || lookAt(screen, row, 0) !== "default";
}

function isOwnText(screen: TuiScreen, row: number, { isPainted }: Paint): boolean {
  return isPainted && lookAt(screen, row, 2) !== "default";
}
