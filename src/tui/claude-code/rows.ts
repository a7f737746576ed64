import type { TuiScreen } from "../tui-screen.ts";
import { lookAt } from "./looks.ts";

/** What one row of the transcript is, by its sign in column 0 and, where the program paints, by its colour. */
export type RowKind = "message" | "spinner" | "completion" | "block" | "other";

/** Whether the program paints; without that only the text can be judged. */
export interface Paint {
  isPainted: boolean;
  /** Rows of messages are told by their background. */
  hasMessageBackground: boolean;
}

/** Past messages are followed by an ordinary space, the live prompt by U+00A0. */
const MESSAGE = /^[❯>!] \S/;
const SPINNER = /^[·✢✳✶✻✽*] \S.*(?:…(?: \(.*| *)?$| · retrying in )/iu;
/** With reduced motion the sign stands still; the time in brackets tells it from an answer. */
const STILL_SPINNER = /^[●⏺] \S[^…]{0,80}… \((?:\d+[hms] ?)+/u;
const COMPLETION = /^[·✢✳✶✻✽*] \p{L}[\p{L}’'-]* for (?:\d+[dhms] ?)+(?:$|·)/u;
const BLOCK = /^[●⏺](?:[ \u00a0]|$)/u;

export function kindOf(screen: TuiScreen, row: number, paint: Paint): RowKind {
  const line = screen.lines[row] ?? "";
  if (isMessage(screen, row, paint)) return "message";
  if (COMPLETION.test(line)) return isOwnSign(screen, row, paint) ? "completion" : "other";
  if (SPINNER.test(line)) return isOwnSign(screen, row, paint) ? "spinner" : "other";
  if (STILL_SPINNER.test(line) && isOwnText(screen, row, paint)) return "spinner";
  return BLOCK.test(line) ? "block" : "other";
}

export function isMessage(screen: TuiScreen, row: number, { hasMessageBackground }: Paint): boolean {
  if (!MESSAGE.test(screen.lines[row] ?? "")) return false;
  return !hasMessageBackground || screen.cellsOf(row)[2]?.style.bg !== "default";
}

export function looksLikeMessage(line: string): boolean {
  return MESSAGE.test(line);
}

/** Old versions wrap answers into column 0; their text is plain, the program's own signs are not. */
function isOwnSign(screen: TuiScreen, row: number, { isPainted }: Paint): boolean {
  return !isPainted || lookAt(screen, row, 0) !== "default";
}

function isOwnText(screen: TuiScreen, row: number, { isPainted }: Paint): boolean {
  return isPainted && lookAt(screen, row, 2) !== "default";
}
