import { endText, take } from "./memory";
import { BASE64, BASE64_GAP, isOf } from "./byte-sets";
import { runEnd } from "./runs";
import { isPlainIn } from "./decoded";

const EQUALS: u8 = 0x3d;
const QUOTE: u8 = 0x22;
const APOSTROPHE: u8 = 0x27;
const MIN_PIECE: usize = 4;
const MIN_STRETCH: usize = 12;
const MAX_FURTHER_PIECES: i32 = 4000;
/**
 * The separator of two stretches. In each grouping by four it decodes to a byte above 0x7f. After padded base64 the byte before
 * that is 0x0f or 0x3f, so that no letter is added to the end of a word.
 */
const SEPARATOR: u32 = 0x5f5f5f5f;

/**
 * Writes the characters of all stretches of base64 in a text to `to`, with a separator after each stretch, and returns how many
 * bytes it wrote. The stretches are those of `decodedStretches`.
 */
export function base64Bytes(text: usize, length: usize, to: usize): usize {
  const begin = to;
  const end = text + length;
  for (let at = text; at < end;) {
    if (!isOf(at, BASE64)) {
      at += 1;
      continue;
    }
    const begun = to;
    const from = at;
    for (let pieces = 1; ; pieces += 1) {
      const stop = runEnd(at, end, BASE64);
      for (let copied: usize = 0; copied < stop - at; copied += 16)
        v128.store(to + copied, v128.load(at + copied));
      const size = stop - at;
      to += size;
      at = stop;
      if (size < MIN_PIECE || pieces > MAX_FURTHER_PIECES) break;
      const next = nextPiece(stop, end);
      if (next == 0) break;
      at = next;
    }
    if (at - from < MIN_STRETCH) to = begun;
    else {
      store<u32>(to, SEPARATOR);
      to += 4;
    }
  }
  return to - begin;
}

/**
 * Returns where the next piece begins: after `=`, a quotation mark, one to four white-space characters or separators, and another
 * quotation mark. 0: no piece follows.
 */
function nextPiece(text: usize, end: usize): usize {
  const from = text;
  if (text < end && load<u8>(text) == EQUALS) text += 1;
  if (text > from && text < end && load<u8>(text) == EQUALS) text += 1;
  if (text < end && isQuote(text)) text += 1;
  const gap = text;
  while (text < end && text < gap + 4 && isOf(text, BASE64_GAP)) text += 1;
  if (text == gap) return 0;
  if (text < end && isQuote(text)) text += 1;
  if (text + MIN_PIECE > end) return 0;
  for (let at = text; at < text + MIN_PIECE; at += 1) if (!isOf(at, BASE64)) return 0;
  return text;
}

function isQuote(text: usize): bool {
  const byte = load<u8>(text);
  return byte == QUOTE || byte == APOSTROPHE;
}

/** Returns the values of sixteen characters of base64 or base64url. */
function valuesOf(bytes: v128): v128 {
  const isLarge = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
  const isSmall = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x61)), i8x16.splat(26));
  const isDigit = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10));
  const isSlash = v128.or(i8x16.eq(bytes, i8x16.splat(0x2f)), i8x16.eq(bytes, i8x16.splat(0x5f)));
  let values = v128.and(i8x16.sub(bytes, i8x16.splat(0x41)), isLarge);
  values = v128.or(values, v128.and(i8x16.sub(bytes, i8x16.splat(71)), isSmall));
  values = v128.or(values, v128.and(i8x16.add(bytes, i8x16.splat(4)), isDigit));
  values = v128.or(values, v128.and(i8x16.splat(63), isSlash));
  const isOther = v128.not(v128.or(v128.or(isLarge, isSmall), v128.or(isDigit, isSlash)));
  return v128.or(values, v128.and(i8x16.splat(62), isOther));
}

/**
 * Returns whether the decoded stretches of `bytes`, in any grouping by four, contain what is searched for. Only runs of at least
 * `least` bytes of ASCII are searched. Replaces the characters by their values.
 */
export function isInBase64(bytes: usize, length: usize, least: usize, depth: i32): bool {
  for (let at: usize = 0; at < length; at += 16) v128.store(bytes + at, valuesOf(v128.load(bytes + at)));
  // Values that do not decode to ASCII follow.
  memory.fill(bytes + length, 0xff, 48);
  const quads = max<usize>(1, (least - 2) / 3);
  // For each grouping, where the previous text ended.
  const ends = take(16);
  memory.fill(ends, 0, 16);
  for (let at: usize = 0; at + 4 <= length; at += 16) {
    let begins = quadsOfAscii(bytes + at);
    if (begins != 0 && quads > 1) begins &= quadsOfAscii(bytes + at + 4);
    if (begins != 0 && quads > 2) begins &= quadsOfAscii(bytes + at + 8);
    while (begins != 0) {
      const place = at + <usize>ctz(begins);
      begins &= begins - 1;
      const done = ends + ((place & 3) << 2);
      if (place < <usize>load<u32>(done)) continue;
      let end = place + 4;
      while (end + 4 <= length && isAsciiQuad(bytes + end)) end += 4;
      store<u32>(done, <u32>end);
      if ((end - place) >>> 2 < quads) continue;
      // Includes the neighbouring quads, because parts of them may belong to the text.
      const from = place >= 4 ? place - 4 : place;
      if (isInQuads(bytes + from, min(end + 4, length) - from, depth)) return true;
    }
  }
  return false;
}

/** Returns a bit for each of sixteen characters, set where a group of four that begins there decodes to three bytes of ASCII. */
function quadsOfAscii(values: usize): u32 {
  const high = v128.or(
    v128.and(v128.load(values), i8x16.splat(0x20)),
    v128.or(
      v128.and(v128.load(values + 1), i8x16.splat(0x08)),
      v128.and(v128.load(values + 2), i8x16.splat(0x02)),
    ),
  );
  return v128.bitmask<i8>(i8x16.eq(high, i8x16.splat(0)));
}

function isAsciiQuad(values: usize): bool {
  return (load<u32>(values) & 0x00020820) == 0;
}

function isInQuads(values: usize, length: usize, depth: i32): bool {
  const plain = take(length);
  let count: usize = 0;
  for (let at: usize = 0; at < length; at += 4) {
    const first = <u32>load<u8>(values + at);
    const second = <u32>load<u8>(values + at + 1);
    const third = <u32>load<u8>(values + at + 2);
    const bits = (first << 18) | (second << 12) | (third << 6) | <u32>load<u8>(values + at + 3);
    // An incomplete last quad has fewer bytes.
    const left = length - at;
    store<u8>(plain + count, bits >>> 16);
    store<u8>(plain + count + 1, bits >>> 8);
    store<u8>(plain + count + 2, bits);
    count += left >= 4 ? 3 : left == 3 ? 2 : left == 2 ? 1 : 0;
  }
  endText(plain, count);
  return isPlainIn(plain, count, depth);
}
