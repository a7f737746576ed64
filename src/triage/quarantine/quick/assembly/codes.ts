import { isPlainIn } from "./decoded";
import { gather, within } from "./fold";
import { endText, take } from "./memory";
import { BITS, DIGIT, HEX, HEX_GAP, NUMBER_GAP, NUMBERS, BLANK, isOf, membersOf } from "./byte-sets";
import { foundEnd, nextRun } from "./runs";

const ZERO: u8 = 0x30;
const X: u8 = 0x78;
const BACKSLASH: u8 = 0x5c;
const PERCENT: u8 = 0x25;
const EQUALS: u8 = 0x3d;
const MIN_UNITS: u8 = 12;
/** Shorter runs contain no list of numbers, or no list of bits. */
const MIN_NUMBERS: usize = 23;
const MIN_BITS: usize = 96;
/** The minimum length of a list of numbers without its first and last number. */
const MIN_LIST: usize = 20;

/** Returns whether a run of `CODED` characters contains hexadecimal digits, numbers or bits that decode to what is searched for. */
export function isInCodes(text: usize, end: usize, least: usize, depth: i32): bool {
  if (isInHex(text, end, least, depth)) return true;
  for (let begin = nextRun(text, end, NUMBERS, MIN_NUMBERS); begin != 0;) {
    const stop = foundEnd;
    if (isInNumbers(begin, stop, depth)) return true;
    if (stop >= end) break;
    begin = nextRun(stop, end, NUMBERS, MIN_NUMBERS);
  }
  for (let begin = nextRun(text, end, BITS, MIN_BITS); begin != 0;) {
    const stop = foundEnd;
    if (isInBits(begin, stop, depth)) return true;
    if (stop >= end) break;
    begin = nextRun(stop, end, BITS, MIN_BITS);
  }
  return false;
}

/** Returns where the prefix of two hexadecimal digits ends at the start of the text; the start itself if there is no prefix. */
function afterPrefix(text: usize): usize {
  const byte = load<u8>(text);
  if (byte == PERCENT || byte == EQUALS) return text + 1;
  return (byte == ZERO || byte == BACKSLASH) && (load<u8>(text + 1) | 0x20) == X ? text + 2 : text;
}

/**
 * Returns where the next two digits may begin, after the two at the start of the text; 0: the text does not start with two
 * digits.
 */
function afterDigits(text: usize, end: usize): usize {
  const digits = afterPrefix(text);
  if (digits + 2 > end || !isOf(digits, HEX) || !isOf(digits + 1, HEX)) return 0;
  return afterGaps(digits + 2, end);
}

/** Searches the stretches of hexadecimal digits, which are the same as those of `decodedStretches`. */
function isInHex(text: usize, end: usize, least: usize, depth: i32): bool {
  const length = end - text;
  const digits = take(length);
  /**
   * For each position, how many pairs of digits follow each other from there, up to twelve. Counted only when a stretch is too
   * short.
   */
  let units: usize = 0;
  for (let at = text; at < end;) {
    if (units != 0 && load<u8>(units + (at - text)) < MIN_UNITS) {
      at += 1;
      continue;
    }
    const count = digitsOf(at, end, digits);
    if (count >= 2 * <usize>MIN_UNITS) {
      at = stretchEnd;
      if (isInDigits(digits, count, 0, least, depth) || isInDigits(digits, count, 1, least, depth))
        return true;
    } else {
      if (units == 0 && count > 0) units = unitsOf(text, at, end);
      at += 1;
    }
  }
  return false;
}

function unitsOf(text: usize, from: usize, end: usize): usize {
  const units = take(end - text);
  for (let at = end - 1; at >= from; at -= 1) {
    const next = afterDigits(at, end);
    const behind: i32 = next == 0 || next >= end ? 0 : load<u8>(units + (next - text));
    store<u8>(units + (at - text), <u8>(next == 0 ? 0 : min(<i32>MIN_UNITS, behind + 1)));
  }
  return units;
}

/** The end of the stretch that `digitsOf` read. */
let stretchEnd: usize = 0;

/** Writes the values of the digits of the stretch at the start of the text to `to`, and returns how many. */
function digitsOf(text: usize, end: usize, to: usize): usize {
  let count: usize = 0;
  while (text < end) {
    const bytes = v128.load(text);
    const others = ~membersOf(bytes, HEX) & 0xffff;
    const pairs = min(others == 0 ? <usize>16 : <usize>ctz(others), end - text) & ~1;
    if (pairs > 0) {
      v128.store(to + count, valuesOf(bytes));
      count += pairs;
      text = afterGaps(text + pairs, end);
      continue;
    }
    const next = afterDigits(text, end);
    if (next == 0) break;
    const pair = afterPrefix(text);
    store<u8>(to + count, hexValue(load<u8>(pair)));
    store<u8>(to + count + 1, hexValue(load<u8>(pair + 1)));
    count += 2;
    text = next;
  }
  stretchEnd = text;
  return count;
}

/** Returns the position after up to three separators, which may occur between two digits and the next two. */
function afterGaps(text: usize, end: usize): usize {
  let at = text;
  while (at < end && at < text + 3 && isOf(at, HEX_GAP)) at += 1;
  return at;
}

function hexValue(byte: u8): u8 {
  return byte < 0x40 ? byte & 0x0f : (byte & 0x07) + 9;
}

/**
 * Searches the bytes that the digits encode when they are grouped by two from `shift` on. Only runs of at least `least` bytes of
 * ASCII are searched.
 */
export function isInDigits(digits: usize, length: usize, shift: usize, least: usize, depth: i32): bool {
  // If no digits follow `shift`, there are no bytes.
  const count = length > shift ? (length - shift) >>> 1 : <usize>0;
  let done: usize = 0;
  for (let at = least - 1; at < count; at += least) {
    if (load<u8>(digits + shift + 2 * at) >= 8) continue;
    let begin = at;
    let end = at + 1;
    while (begin > done && load<u8>(digits + shift + 2 * begin - 2) < 8) begin -= 1;
    while (end < count && load<u8>(digits + shift + 2 * end) < 8) end += 1;
    done = end;
    at = end;
    if (end - begin < least) continue;
    const size = end - begin;
    const plain = take(size);
    for (let byte: usize = 0; byte < size; byte += 1) {
      const pair = digits + shift + 2 * (begin + byte);
      store<u8>(plain + byte, (load<u8>(pair) << 4) | load<u8>(pair + 1));
    }
    endText(plain, size);
    if (isPlainIn(plain, size, depth)) return true;
  }
  return false;
}

/**
 * Writes the values of all hexadecimal digits of a text to `to`, and returns how many. `isPrefix`: a zero before an `x` does not
 * count as a digit.
 */
export function allDigits(text: usize, end: usize, isPrefix: bool, to: usize): usize {
  let count: usize = 0;
  for (let at = text; at < end; at += 16) {
    const bytes = v128.load(at);
    const next = v128.or(v128.load(at + 1), i8x16.splat(0x20));
    const zeros = v128.and(i8x16.eq(bytes, i8x16.splat(ZERO)), i8x16.eq(next, i8x16.splat(X)));
    const left = isPrefix ? ~v128.bitmask<i8>(zeros) : ~0;
    count += gather(valuesOf(bytes), within(membersOf(bytes, HEX) & left, end - at), to + count);
  }
  return count;
}

/** Returns the values of sixteen hexadecimal digits. */
function valuesOf(bytes: v128): v128 {
  const letters = i8x16.add(v128.and(bytes, i8x16.splat(0x07)), i8x16.splat(9));
  return v128.bitselect(letters, v128.and(bytes, i8x16.splat(0x0f)), i8x16.ge_u(bytes, i8x16.splat(0x40)));
}

/**
 * Searches lists of at least twelve numbers of up to three digits. The first number may be the end of a longer number, and the
 * last one the beginning of a longer number.
 */
export function isInNumbers(text: usize, end: usize, depth: i32): bool {
  if (!mayListNumbers(text, end)) return false;
  const codes = take((end - text) * 2);
  for (let at = text; at < end;) {
    if (!isOf(at, DIGIT)) {
      at += 1;
      continue;
    }
    let stop = numberEnd(at, end);
    const first = max(at, stop > at + 3 ? stop - 3 : at);
    let number = first;
    let count: usize = 0;
    for (;;) {
      stop = min(numberEnd(number, end), number + 3);
      store<u16>(codes + 2 * count++, packed(number, stop));
      const next = afterGap(stop, end);
      if (next == 0) break;
      number = next;
    }
    // A list that begins later within a list that is too short ends at the same place, so it is too short, too.
    at = count >= 12 ? stop : count > 1 ? number : numberEnd(first, end);
    if (count >= 12 && (isInNumberCodes(codes, count, 10, depth) || isInNumberCodes(codes, count, 8, depth)))
      return true;
  }
  return false;
}

/** Returns whether the text between two longer numbers is long enough for a list: ten short numbers with separators. */
function mayListNumbers(text: usize, end: usize): bool {
  let last = text;
  for (let at = text; at < end; at += 13) {
    const digits = membersOf(v128.load(at), DIGIT);
    const longer = digits & (digits >>> 1) & (digits >>> 2) & (digits >>> 3) & 0x1fff;
    if (longer == 0) continue;
    if (at + <usize>ctz(longer) - last >= MIN_LIST) return true;
    last = at + (31 - <usize>clz(longer));
  }
  return end - last >= MIN_LIST;
}

function numberEnd(text: usize, end: usize): usize {
  while (text < end && isOf(text, DIGIT)) text += 1;
  return text;
}

/** Returns where the next number begins, after one to three spaces or separators; 0: none follows. */
function afterGap(text: usize, end: usize): usize {
  let at = text;
  while (at < end && at < text + 3 && isOf(at, NUMBER_GAP)) at += 1;
  return at > text && at < end && isOf(at, DIGIT) ? at : 0;
}

/** Returns the digits, four bits each, with the count of digits in the bits above them. */
function packed(text: usize, end: usize): u16 {
  let value: u16 = 0;
  for (let at = text; at < end; at += 1) value = (value << 4) | (load<u8>(at) & 0x0f);
  return value | ((<u16>(end - text)) << 12);
}

function isInNumberCodes(codes: usize, count: usize, radix: u32, depth: i32): bool {
  const plain = take(count);
  let size: usize = 0;
  for (let index: usize = 0; index < count; index += 1) {
    const value = codeOf(load<u16>(codes + 2 * index), radix);
    if (value < 256) store<u8>(plain + size++, value);
  }
  endText(plain, size);
  return isPlainIn(plain, size, depth);
}

/**
 * Returns the value as `Number.parseInt` reads it: it stops at a digit that the radix does not have. 256: no digit could be read.
 */
function codeOf(packed: u16, radix: u32): u32 {
  let value: u32 = 0;
  const digits: u32 = packed >>> 12;
  for (let digit: u32 = digits; digit > 0; digit -= 1) {
    const next = (<u32>packed >>> (4 * (digit - 1))) & 0x0f;
    if (next >= radix) return digit == digits ? 256 : value;
    value = value * radix + next;
  }
  return value;
}

/**
 * Returns where the bits of the next byte may begin, after the eight bits at the start of the text; 0: the text does not start
 * with eight bits.
 */
function afterByte(text: usize, end: usize): usize {
  if (text + 8 > end) return 0;
  for (let at = text; at < text + 8; at += 1) if ((load<u8>(at) & 0xfe) != ZERO) return 0;
  let at = text + 8;
  for (let gap = 0; gap < 2 && at < end && isOf(at, BLANK); gap += 1) at += 1;
  return at;
}

export function isInBits(text: usize, end: usize, depth: i32): bool {
  const length = end - text;
  const units = take(length);
  for (let at = end - 1; at >= text; at -= 1) {
    const next = afterByte(at, end);
    const behind: i32 = next == 0 || next >= end ? 0 : load<u8>(units + (next - text));
    store<u8>(units + (at - text), <u8>(next == 0 ? 0 : min(<i32>MIN_UNITS, behind + 1)));
  }
  for (let at = text; at < end;) {
    if (load<u8>(units + (at - text)) < MIN_UNITS) {
      at += 1;
      continue;
    }
    const plain = take(length / 8 + 1);
    let count: usize = 0;
    for (let next = afterByte(at, end); next != 0; next = afterByte(at, end)) {
      let value: u32 = 0;
      for (let bit: usize = 0; bit < 8; bit += 1) value = (value << 1) | (load<u8>(at + bit) & 1);
      store<u8>(plain + count++, value);
      at = next;
    }
    endText(plain, count);
    if (isPlainIn(plain, count, depth)) return true;
  }
  return false;
}
