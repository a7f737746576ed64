import { gather, within } from "./fold";
import { BLANK, LETTERS, isOf, membersOf } from "./byte-sets";

const LINE_FEED: u8 = 0x0a;
const RETURN: u8 = 0x0d;
const BACKSLASH: u8 = 0x5c;
const QUOTE: u8 = 0x22;
const APOSTROPHE: u8 = 0x27;
const MAX_INDENT: usize = 20;

/** Writes only the letters, digits, `_` and `-` of a text to `to`, and returns how many. */
export function lettersOf(text: usize, length: usize, to: usize): usize {
  let count: usize = 0;
  for (let at: usize = 0; at < length; at += 16) {
    const bytes = v128.load(text + at);
    count += gather(bytes, within(membersOf(bytes, LETTERS), length - at), to + count);
  }
  return count;
}

/**
 * Writes the text to `to` without line ends inside words and without the code that joins two strings, as `splitSecrets` does.
 * Returns the length.
 */
export function joined(text: usize, length: usize, to: usize): usize {
  const first = to;
  const begin = text;
  const end = text + length;
  let copied = text;
  for (let at = text; at < end; at += 16) {
    const bytes = v128.load(at);
    const quotes = v128.or(i8x16.eq(bytes, i8x16.splat(QUOTE)), i8x16.eq(bytes, i8x16.splat(APOSTROPHE)));
    let marks: u32 = v128.bitmask<i8>(v128.or(quotes, i8x16.eq(bytes, i8x16.splat(LINE_FEED))));
    while (marks != 0) {
      const place = at + <usize>ctz(marks);
      marks &= marks - 1;
      if (place >= end) break;
      if (place < copied) continue;
      const isFeed = load<u8>(place) == LINE_FEED;
      const from = isFeed ? breakBegin(place, begin) : place;
      const stop = isFeed ? (from == 0 ? 0 : breakEnd(place + 1, end)) : stringEnd(place + 1, end);
      if (stop == 0) continue;
      to = copy(copied, max(from, copied), to);
      copied = stop;
    }
  }
  return copy(copied, end, to) - first;
}

function copy(from: usize, end: usize, to: usize): usize {
  if (from >= end) return to;
  for (let at: usize = 0; at < end - from; at += 16) v128.store(to + at, v128.load(from + at));
  return to + (end - from);
}

/** Returns where the line end begins, if a character other than white space precedes it; 0: white space precedes it. */
function breakBegin(feed: usize, begin: usize): usize {
  let at = feed;
  if (at > begin && load<u8>(at - 1) == RETURN) at -= 1;
  if (at > begin + 1 && load<u8>(at - 1) == BACKSLASH && !isBlankAt(at - 2)) return at - 1;
  return at > begin && !isBlankAt(at - 1) ? at : 0;
}

/** Returns where the next line begins after its indentation or quotation marks; 0: only white space follows. */
function breakEnd(line: usize, end: usize): usize {
  let at = line;
  while (at < end && at < line + MAX_INDENT && isIndent(load<u8>(at))) at += 1;
  while (at >= line && (at >= end || isBlankAt(at))) at -= 1;
  return at < line ? 0 : at;
}

function isBlankAt(at: usize): bool {
  return isOf(at, BLANK) || load<u8>(at) == 0xa0;
}

function isIndent(byte: u8): bool {
  return byte == 0x20 || byte == 0x09 || byte == 0x3e || byte == 0x7c || byte == 0x2a || byte == 0x23;
}

/** Returns the position after an operator that joins strings and the next quotation mark; 0: they do not follow. */
function stringEnd(text: usize, end: usize): usize {
  let at = skip(text, end, 0x20);
  if (at >= end || (load<u8>(at) != 0x2b && load<u8>(at) != 0x2e && load<u8>(at) != 0x26)) return 0;
  at = skip(skip(at + 1, end, 0x20), end, BACKSLASH);
  const blanks = at;
  while (at < end && at < blanks + 20 && isBlankAt(at)) at += 1;
  return at < end && (load<u8>(at) == QUOTE || load<u8>(at) == APOSTROPHE) ? at + 1 : 0;
}

function skip(text: usize, end: usize, byte: u8): usize {
  return text < end && load<u8>(text) == byte ? text + 1 : text;
}
