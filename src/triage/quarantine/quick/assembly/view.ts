import { escapeEnd, beginsEscape } from "./escapes";
import { BLANK, isOf } from "./byte-sets";

const BACKSPACE: u8 = 0x08;
const TAB: u8 = 0x09;
const LINE_FEED: u8 = 0x0a;
const RETURN: u8 = 0x0d;
const SPACE: u8 = 0x20;
const HASH: u8 = 0x23;
const COLON: u8 = 0x3a;
const BRACKET: u8 = 0x5b;
const DELETE: u8 = 0x7f;

/** The result of `plainText` and `normalised` for each byte above 0x7f: the number of bytes, and the bytes. The host fills it. */
export const PLAIN: usize = memory.data(256 * 4, 16);

/** Returns a bit for each byte that stays unchanged. */
function plainIn(bytes: v128): u32 {
  const isVisible = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(SPACE)), i8x16.splat(DELETE - SPACE));
  const isFeed = i8x16.eq(bytes, i8x16.splat(LINE_FEED));
  return v128.bitmask<i8>(v128.or(isVisible, v128.or(isFeed, i8x16.eq(bytes, i8x16.splat(TAB)))));
}

export function hasByte(text: usize, length: usize, byte: u8): bool {
  for (let at: usize = 0; at < length; at += 16) {
    const found = v128.bitmask<i8>(i8x16.eq(v128.load(text + at), i8x16.splat(byte)));
    if (found != 0 && at + ctz(found) < length) return true;
  }
  return false;
}

/** Removes each character that a backspace follows, and the backspace. Returns the length. */
export function withoutOverwritten(text: usize, length: usize, to: usize): usize {
  let count: usize = 0;
  for (let at: usize = 0; at < length; at += 1) {
    const byte = load<u8>(text + at);
    if (byte != BACKSPACE && at + 1 < length && load<u8>(text + at + 1) == BACKSPACE) at += 1;
    else store<u8>(to + count++, byte);
  }
  return count;
}

/** Whether `stripped` removed an escape sequence (`hasEscapes`), or its result contains a byte above 0x7f (`hasHigh`). */
export let hasEscapes: bool = false;
export let hasHigh: bool = false;

/**
 * Removes escape sequences and control characters, and writes every line end as a line feed. Returns the length. Bytes from 0xa0
 * on are kept.
 */
export function stripped(text: usize, length: usize, to: usize): usize {
  const end = text + length;
  const begin = to;
  hasEscapes = false;
  hasHigh = false;
  let isAfterReturn = false;
  while (text < end) {
    if (!isAfterReturn) {
      const bytes = v128.load(text);
      const others = ~plainIn(bytes) & 0xffff;
      v128.store(to, bytes);
      const count = min(others == 0 ? <usize>16 : <usize>ctz(others), end - text);
      text += count;
      to += count;
      if (count == 16 || text == end) continue;
    }
    const byte = load<u8>(text);
    if (beginsEscape(byte)) {
      const next = escapeEnd(text, end);
      if (next != 0) {
        hasEscapes = true;
        text = next;
        continue;
      }
    }
    text += 1;
    if (byte == LINE_FEED && isAfterReturn) {
      isAfterReturn = false;
      continue;
    }
    isAfterReturn = byte == RETURN;
    if (isAfterReturn) {
      store<u8>(to++, LINE_FEED);
      if (text < end && load<u8>(text) == LINE_FEED) {
        text += 1;
        isAfterReturn = false;
      }
    } else if (byte >= 0xa0) {
      hasHigh = true;
      store<u8>(to++, byte);
    } else if ((byte >= SPACE && byte < DELETE) || byte == TAB || byte == LINE_FEED) store<u8>(to++, byte);
  }
  return to - begin;
}

/** Returns whether a GitHub Actions runner might read a part of the text as a command. */
export function mayCommand(text: usize, length: usize): bool {
  for (let at: usize = 0; at + 1 < length; at += 16) {
    const one = v128.load(text + at);
    const next = v128.load(text + at + 1);
    const colons = v128.and(i8x16.eq(one, i8x16.splat(COLON)), i8x16.eq(next, i8x16.splat(COLON)));
    const hashes = v128.and(i8x16.eq(one, i8x16.splat(HASH)), i8x16.eq(next, i8x16.splat(HASH)));
    if (v128.any_true(v128.or(colons, hashes))) return true;
  }
  return false;
}

/** Inserts a space into `::` at the beginning of a line, and into `##[`. Returns the length. */
export function withoutCommands(text: usize, length: usize, to: usize): usize {
  const begin = to;
  let isBegin = true;
  for (let at: usize = 0; at < length; at += 1) {
    const byte = load<u8>(text + at);
    const next = at + 1 < length ? load<u8>(text + at + 1) : 0;
    store<u8>(to++, byte);
    if (byte == COLON && isBegin && next == COLON) store<u8>(to++, SPACE);
    // If there are more than two `#`, the last two count.
    if (byte == HASH && next == BRACKET && at > 0 && load<u8>(text + at - 1) == HASH) store<u8>(to++, SPACE);
    isBegin = byte == LINE_FEED || (isBegin && (isOf(text + at, BLANK) || byte == 0xa0));
  }
  return to - begin;
}

/** Replaces each byte above 0x7f as in `PLAIN`. Returns the length, which is at most three times the original. */
export function normalised(text: usize, length: usize, to: usize): usize {
  const begin = to;
  for (let at: usize = 0; at < length;) {
    const bytes = v128.load(text + at);
    const high = v128.bitmask<i8>(bytes);
    v128.store(to, bytes);
    const count = min(high == 0 ? <usize>16 : <usize>ctz(high), length - at);
    at += count;
    to += count;
    if (count == 16 || at == length) continue;
    const plain = PLAIN + ((<usize>load<u8>(text + at)) << 2);
    store<u32>(to, load<u32>(plain) >>> 8);
    to += load<u8>(plain);
    at += 1;
  }
  return to - begin;
}
