import { normalisedText, rotated } from "../../github/index.ts";

/** A text that was read in another way, and the name of that way. */
export interface Reading {
  text: string;
  form: string;
}

/** Longer texts are logs: they are searched only for secrets that a line wrap or an escape hides, and for encoded stretches. */
export const SPREAD_MAX_CHARACTERS = 512 * 1024;
export const ROTATED_MAX_CHARACTERS = 64 * 1024;

/**
 * Returns the text without marks, and with digits of other scripts and full-width characters as ASCII. All further readings start
 * from it.
 */
export function normalised(text: string): string {
  return normalisedText(text, "NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(/(?![0-9])\p{Nd}/gu, digitOf);
}

/**
 * Yields readings of the same characters in another order or with others between them (S8): every second, third and fourth
 * character, the first and last letters of lines and words, list items without their numbers, and letters rotated through the
 * alphabet. Bounded: each reading is not longer than the text, and there are at most 49.
 */
export function* spreadReadings(text: string): Generator<Reading> {
  if (text.length > SPREAD_MAX_CHARACTERS) return;
  yield* lineReadings(text);
  const words = text.split(/\s+/);
  if (words.length > 2) {
    yield { text: words.map((word) => word.slice(0, 1)).join(""), form: "first letters of words" };
    yield { text: words.map((word) => word.slice(-1)).join(""), form: "last letters of words" };
  }
  const signs = text.replaceAll(/\s+/g, "");
  for (const source of [signs, signs.replaceAll(/[^A-Za-z0-9]+/g, "")]) {
    for (const stride of [2, 3, 4]) {
      for (let offset = 0; offset < stride; offset += 1) {
        yield { text: everyNth(source, stride, offset), form: `every ${stride}. character` };
      }
    }
  }
  yield { text: rot47(text), form: "rot47" };
  if (text.length > ROTATED_MAX_CHARACTERS) return;
  for (let by = 1; by < 26; by += 1) yield { text: rotated(text, by), form: `letters rotated by ${by}` };
}

/**
 * Yields readings of the lines without the bullets and numbers of list items: all lines joined, their first letters, and their
 * last letters.
 */
export function* lineReadings(text: string): Generator<Reading> {
  const lines = text
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-*+>]|\(?\w{1,3}[.):]|\[[ x]\])+\s+/i, "").trim());
  if (lines.length > 2) {
    yield { text: lines.join(""), form: "one piece a line" };
    yield { text: lines.map((line) => line.slice(0, 1)).join(""), form: "first letters of lines" };
    yield { text: lines.map((line) => line.slice(-1)).join(""), form: "last letters of lines" };
  }
}

function everyNth(text: string, stride: number, offset: number): string {
  let read = "";
  for (let at = offset; at < text.length; at += stride) read += text[at];
  return read;
}

function rot47(text: string): string {
  return text.replaceAll(/[!-~]/g, (sign) => String.fromCharCode(((sign.charCodeAt(0) - 33 + 47) % 94) + 33));
}

/**
 * Returns the ASCII digit for a decimal digit of any script. In Unicode, the decimal digits of a script are ten consecutive
 * characters, with zero first.
 */
function digitOf(digit: string): string {
  let code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) {
    code -= 1;
    value += 1;
  }
  return String(value);
}
