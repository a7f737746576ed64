import { ESCAPE_SEQUENCES } from "./plain-text.ts";

/** A text after some disguises are removed, with the positions of its parts in the source. */
export interface View {
  text: string;
  /**
   * Returns the ranges of the source from which `[start, end)` was read, ascending. Text that was dropped in between is in none
   * of them.
   */
  rangesOf: (start: number, end: number) => Range[];
}
export type Range = readonly [start: number, end: number];

/** Returns a view of the text without the matches of the pattern; null when there is no match. */
export function withoutPattern(source: string, pattern: RegExp): View | null {
  return without({ text: source, rangesOf: (start, end) => [[start, end]] }, pattern, () => "");
}

/** The maximum number of nested escapes: `&amp;#103;` is `&#103;`, which is `g`. */
const MAX_LAYERS = 4;

/**
 * Returns views of the text: as it is, then with each layer of escapes and invisible characters removed. It works on decoded text
 * and on text whose characters are bytes.
 */
export function undisguised(source: string): View[] {
  const views: View[] = [{ text: source, rangesOf: (start, end) => [[start, end]] }];
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const last = views.at(-1) as View;
    if (!DISGUISE_SIGN.test(last.text)) break;
    const next = without(last, ANY_DISGUISE, plainCharacter);
    if (next === null) break;
    views.push(next);
  }
  return views;
}

/**
 * Returns the views of `undisguised`, and one without the markup that separates characters that are adjacent on a rendered page.
 */
export function undisguisedMarkup(source: string): View[] {
  const views = undisguised(source);
  const shown = without(views.at(-1) as View, MARKUP, () => "");
  return shown === null ? views : [...views, shown];
}

const NAMED: Readonly<Record<string, string>> = {
  lowbar: "_",
  underbar: "_",
  hyphen: "-",
  dash: "-",
  period: ".",
  sol: "/",
  colon: ":",
  equals: "=",
  commat: "@",
  plus: "+",
  ast: "*",
  num: "#",
  bsol: "\\",
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

const DISGUISE = new RegExp(
  [
    ESCAPE_SEQUENCES.source,
    // Characters that are invisible on a page or a screen; the second line matches their UTF-8 bytes, for a file that is read
    // byte by byte.
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f\\xad\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0]|\\udb40[\\udc00-\\udfff]",
    "\\xe2\\x80[\\x8b-\\x8f\\xaa-\\xae]|\\xe2\\x81[\\xa0-\\xaf]|\\xef\\xbb\\xbf|\\xc2\\xad|\\xef\\xb8[\\x80-\\x8f]|\\xcd\\x8f|\\xe1\\xa0\\x8e",
    "&#0{0,30}(?<decimal>\\d{1,7});?|&#x0{0,30}(?<hex>[0-9a-f]{1,6});?",
    `&(?<named>${Object.keys(NAMED).join("|")});|&(?:ZeroWidthSpace|NoBreak|shy|zwj|zwnj|lrm|rlm);`,
    "%(?:25){0,30}(?<url>[0-7][0-9a-f])",
    "\\\\(?:U0000(?<long>[0-9a-f]{4})|u(?<u>[0-9a-f]{4})|u\\{(?<braced>[0-9a-f]{1,6})\\}|x(?<x>[0-9a-f]{2})|0?(?<octal>[01][0-7]{2})|(?<blank>[nrt])|(?<mark>[!-/:-@[-`{-~]))",
    // Letters with marks, in circles or squares, or superscript, and characters that look like a dash or an underscore.
    "(?<wide>[\\uff01-\\uff5e\\u0100-\\u024f\\u1e00-\\u1eff\\u2460-\\u24ea\\u00b2\\u00b3\\u00b9\\u2070-\\u209c\\u02b0-\\u02b8\\u1d2c-\\u1d6a]|\\ud835[\\udc00-\\udfff]|\\ud83c[\\udd30-\\udd49])",
    // The lookahead excludes the first byte of a UTF-8 character in a file that is read byte by byte.
    "(?<marked>[\\u00c0-\\u00c5\\u00c7-\\u00cf\\u00d1-\\u00d6\\u00d9-\\u00dd\\u00e0-\\u00e5\\u00e7-\\u00ef\\u00f1-\\u00f6\\u00f9-\\u00fd\\u00ff](?![\\x80-\\xbf]))",
    "(?<dash>[\\u2010-\\u2015\\u2212\\ufe58\\ufe63])|(?<low>[\\u2017\\u203f\\ufe33\\ufe34\\ufe4d-\\ufe4f])",
  ].join("|"),
  "gi",
);

/**
 * The same pattern without named groups: each match of a pattern with named groups creates an object, which takes most of the
 * time.
 */
const ANY_DISGUISE = new RegExp(DISGUISE.source.replaceAll(/\(\?<\w+>/g, "(?:"), DISGUISE.flags);

/** A text without any of these characters contains no disguise. */
const DISGUISE_SIGN = /[^\t\n\r -$'-[\]-~]/;

/** Tags and comments, emphasis, code spans, and the brackets and address of a link. */
const MARKUP = /<[^<>]{0,500}>|[*`~]|!?\[|\](?:\([^()\n]{0,500}\)|\[[^[\]\n]{0,100}\])?/g;

function plainCharacter(match: RegExpExecArray): string {
  // The match begins with ESC or another control character, so it represents no character.
  if (match[0] < " ") return "";
  DISGUISE.lastIndex = match.index;
  const groups = DISGUISE.exec(match.input)?.groups ?? {};
  const { decimal, hex, named, url, long, u, braced, x, octal, blank, mark, dash, low } = groups;
  const letter = groups["wide"] ?? groups["marked"];
  if (letter !== undefined) return letter.normalize("NFKD").replaceAll(/\p{M}+/gu, "");
  if (dash !== undefined) return "-";
  if (low !== undefined) return "_";
  if (named !== undefined) return NAMED[named.toLowerCase()] ?? "";
  if (blank !== undefined) return " ";
  if (mark !== undefined) return mark;
  const hexadecimal = hex ?? url ?? long ?? u ?? braced ?? x;
  const code =
    hexadecimal === undefined
      ? Number.parseInt(decimal ?? octal ?? "0", decimal === undefined ? 8 : 10)
      : Number.parseInt(hexadecimal, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/**
 * A part of a view: `length` characters that begin at `at`, read from `[from, to)` of the source. If the lengths differ, the part
 * replaces an escape.
 */
interface Segment {
  at: number;
  length: number;
  from: number;
  to: number;
}

/** Returns the view with every match replaced; null when there is no match. */
function without(
  source: View,
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => string,
): View | null {
  const segments: Segment[] = [];
  const parts: string[] = [];
  let [at, end] = [0, 0];
  const add = (text: string, from: number, to: number): void => {
    if (text === "") return;
    segments.push({ at, length: text.length, from, to });
    parts.push(text);
    at += text.length;
  };
  for (const match of source.text.matchAll(pattern)) {
    add(source.text.slice(end, match.index), end, match.index);
    end = match.index + match[0].length;
    add(replacement(match), match.index, end);
  }
  if (end === 0) return null;
  add(source.text.slice(end), end, source.text.length);
  return {
    text: parts.join(""),
    rangesOf: (start, stop) =>
      overlapping(segments, start, stop).flatMap((segment) =>
        source.rangesOf(...partOf(segment, start, stop)),
      ),
  };
}

function partOf({ at, length, from, to }: Segment, start: number, stop: number): Range {
  // The source of a replaced part is returned as a whole.
  if (length !== to - from) return [from, to];
  return [from + Math.max(0, start - at), from + Math.min(length, stop - at)];
}

function overlapping(segments: readonly Segment[], start: number, stop: number): Segment[] {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { at, length } = segments[middle] as Segment;
    if (at + length <= start) low = middle + 1;
    else high = middle;
  }
  const found: Segment[] = [];
  for (let index = low; index < segments.length; index += 1) {
    const segment = segments[index] as Segment;
    if (segment.at >= stop) break;
    found.push(segment);
  }
  return found;
}
