import { HEX, DIGIT, WORD, isOf } from "./byte-sets";

const AMPERSAND: u8 = 0x26;
const PERCENT: u8 = 0x25;
const BACKSLASH: u8 = 0x5c;
const HASH: u8 = 0x23;
const ZERO: u8 = 0x30;
const SEMICOLON: u8 = 0x3b;
const SMALL: u8 = 0x20;
const PLUS: u8 = 0x2b;
const A: u8 = 0x61;
const C: u8 = 0x63;
const H: u8 = 0x68;
const R: u8 = 0x72;
const U: u8 = 0x75;
const W: u8 = 0x77;
/** Replaces characters that are neither a letter nor a space and belong to no encoding. */
const PLACEHOLDER: u8 = 0x80;
/** Returned when there was no escape. */
export const UNCHANGED: usize = 0xffffffff;
const LAST_CODE: u32 = 0x10ffff;

/** The character of an escape, and the end of the escape; 0: none. */
let code: u32 = 0;
let escaped: usize = 0;

/** Removes one level of escapes, as `unescaped` does. Returns the length. UNCHANGED: there was no escape. */
export function unescape(text: usize, length: usize, to: usize): usize {
  const begin = to;
  const end = text + length;
  const first = text;
  let isChanged = false;
  while (text < end) {
    const bytes = v128.load(text);
    const next = v128.load(text + 1);
    const marks = v128.or(
      v128.or(i8x16.eq(bytes, i8x16.splat(PERCENT)), i8x16.eq(bytes, i8x16.splat(AMPERSAND))),
      v128.or(
        i8x16.eq(bytes, i8x16.splat(BACKSLASH)),
        v128.and(
          i8x16.eq(bytes, i8x16.splat(ZERO)),
          i8x16.eq(v128.or(next, i8x16.splat(SMALL)), i8x16.splat(0x78)),
        ),
      ),
    );
    const letters = v128.or(bytes, i8x16.splat(SMALL));
    const words = v128.or(
      v128.and(i8x16.eq(letters, i8x16.splat(U)), i8x16.eq(next, i8x16.splat(PLUS))),
      v128.and(
        i8x16.eq(letters, i8x16.splat(C)),
        i8x16.eq(v128.or(next, i8x16.splat(SMALL)), i8x16.splat(H)),
      ),
    );
    const found = v128.bitmask<i8>(v128.or(marks, words));
    v128.store(to, bytes);
    const count = min(found == 0 ? <usize>16 : <usize>ctz(found), end - text);
    text += count;
    to += count;
    if (count == 16 || text == end) continue;
    escaped = 0;
    match(text, end, text > first && isOf(text - 1, WORD));
    if (escaped == 0) {
      store<u8>(to++, load<u8>(text++));
      continue;
    }
    isChanged = true;
    to += putCode(to);
    text = escaped;
  }
  return isChanged ? to - begin : UNCHANGED;
}

/** Writes a byte for each UTF-16 unit of the character, and returns how many. */
function putCode(to: usize): usize {
  store<u8>(to, code <= 0xff && code != 0xa0 ? <u8>code : isBlank(code) ? 0x20 : letterOf(code));
  store<u8>(to + 1, PLACEHOLDER);
  return code > 0xffff ? 2 : 1;
}

/** Returns whether a character above ASCII is white space. */
export function isBlank(character: u32): bool {
  if (character >= 0x2000 && character <= 0x200a) return true;
  if (character == 0xa0 || character == 0x1680 || character == 0x3000 || character == 0xfeff) return true;
  return character == 0x2028 || character == 0x2029 || character == 0x202f || character == 0x205f;
}

/** The lower-case form of two characters is an ASCII letter: the Kelvin byte, and the capital I with a dot. */
function letterOf(character: u32): u8 {
  return character == 0x212a ? 0x6b : character == 0x130 ? 0x69 : PLACEHOLDER;
}

function match(text: usize, end: usize, isAfterWord: bool): void {
  const byte = load<u8>(text);
  if (byte == PERCENT) matchPercent(text + 1, end);
  else if (byte == ZERO && !isAfterWord) matchHex(text + 2, end, 2, 2);
  else if (byte == AMPERSAND) matchEntity(text + 1, end);
  else if (byte == BACKSLASH && text + 1 < end) matchBackslash(text + 1, end);
  else if ((byte | SMALL) == U && !isAfterWord) matchCodePoint(text + 1, end);
  else if ((byte | SMALL) == C && !isAfterWord) matchCall(text + 1, end);
}

/** Matches the text after the `U` of `U+0041`. */
function matchCodePoint(text: usize, end: usize): void {
  if (text + 3 > end || load<u8>(text) != PLUS || load<u8>(text + 1) != ZERO || load<u8>(text + 2) != ZERO)
    return;
  matchHex(text + 3, end, 2, 2);
}

/** Matches the text after the `c` of `chr(65)`, `char 65` and the like. */
function matchCall(text: usize, end: usize): void {
  if (!isLetter(text, end, H)) return;
  text += 1;
  if (isLetter(text, end, A)) text += 1;
  if (!isLetter(text, end, R)) return;
  text += 1;
  if (isLetter(text, end, W)) text += 1;
  const gap = text;
  while (text < end && text < gap + 2 && (load<u8>(text) == 0x20 || load<u8>(text) == 0x28)) text += 1;
  if (text == gap) return;
  matchDecimal(text, end, 3);
  if (escaped != 0 && escaped < end && load<u8>(escaped) == 0x29) escaped += 1;
}

function isLetter(text: usize, end: usize, letter: u8): bool {
  return text < end && (load<u8>(text) | SMALL) == letter;
}

/** Matches at least `least` and at most `most` hexadecimal digits. */
function matchHex(text: usize, end: usize, least: usize, most: usize): void {
  let value: u32 = 0;
  let at = text;
  for (; at < end && at < text + most && isOf(at, HEX); at += 1) {
    const digit = <u32>load<u8>(at);
    value = (value << 4) | (digit < 0x40 ? digit & 0x0f : (digit & 0x07) + 9);
  }
  if (at - text < least) return;
  code = value;
  escaped = at;
}

function matchPercent(text: usize, end: usize): void {
  // If no code follows, the last `25` is itself the code: `%25` is a percent sign.
  let times: usize = 0;
  while (times < 30 && text + 2 <= end && load<u8>(text) == 0x32 && load<u8>(text + 1) == 0x35) {
    text += 2;
    times += 1;
  }
  matchHex(text, end, 2, 2);
  if (escaped == 0 && times > 0) matchHex(text - 2, end, 2, 2);
}

/** Matches the text after `&`: up to thirty times `amp;`, then `#`, zeros, and decimal or hexadecimal digits. */
function matchEntity(text: usize, end: usize): void {
  for (let times = 0; times < 30 && isAmp(text, end); times += 1) text += 4;
  if (text >= end || load<u8>(text) != HASH) return;
  text += 1;
  if (text < end && (load<u8>(text) | SMALL) == 0x78) {
    const digits = afterZeros(text + 1, end, HEX);
    matchHex(digits, end, 1, 6);
  } else matchDecimal(afterZeros(text, end, DIGIT), end, 7);
  if (escaped == 0) return;
  if (code > LAST_CODE) escaped = 0;
  else if (escaped < end && load<u8>(escaped) == SEMICOLON) escaped += 1;
}

function isAmp(text: usize, end: usize): bool {
  return text + 4 <= end && (load<u32>(text) | 0x00202020) == 0x3b706d61;
}

/** Returns the position after up to thirty zeros. The last zero is kept when no digit follows. */
function afterZeros(text: usize, end: usize, digits: u32): usize {
  const begin = text;
  while (text < end && text < begin + 30 && load<u8>(text) == ZERO) text += 1;
  return text > begin && (text >= end || !isOf(text, digits)) ? text - 1 : text;
}

/** Matches at most `most` decimal digits. */
function matchDecimal(text: usize, end: usize, most: usize): void {
  let value: u32 = 0;
  let at = text;
  for (; at < end && at < text + most && isOf(at, DIGIT); at += 1) value = value * 10 + (load<u8>(at) & 0x0f);
  if (at == text) return;
  code = value;
  escaped = at;
}

function matchBackslash(text: usize, end: usize): void {
  const kind = load<u8>(text) | SMALL;
  if (kind == 0x78) matchHex(text + 1, end, 2, 2);
  else if (kind == 0x75) matchUnicode(text + 1, end);
  else matchOctal(text, end);
  // An escaped white-space character, as in JSON and shells. Its letters begin no other escape.
  if (
    escaped == 0 &&
    (kind == 0x6e || kind == 0x72 || kind == 0x74 || kind == 0x62 || kind == 0x66 || kind == 0x76)
  ) {
    code = 0x20;
    escaped = text + 1;
  }
}

function matchUnicode(text: usize, end: usize): void {
  if (text + 4 <= end && load<u32>(text) == 0x30303030) matchHex(text + 4, end, 4, 4);
  if (escaped == 0) matchHex(text, end, 4, 4);
  if (escaped != 0 || text >= end || load<u8>(text) != 0x7b) return;
  matchHex(afterZeros(text + 1, end, HEX), end, 1, 6);
  if (escaped == 0) return;
  if (code > LAST_CODE || escaped >= end || load<u8>(escaped) != 0x7d) escaped = 0;
  else escaped += 1;
}

/** Matches an optional zero and three octal digits, of which the first is at most 3; or two, of which the first is at least 4. */
function matchOctal(text: usize, end: usize): void {
  if (load<u8>(text) == ZERO && isOctal(text + 1, end)) text += 1;
  else if (!isOctal(text, end)) return matchShortOctal(text, end);
  code =
    ((<u32>load<u8>(text) & 7) << 6) | ((<u32>load<u8>(text + 1) & 7) << 3) | (<u32>load<u8>(text + 2) & 7);
  escaped = text + 3;
}

function matchShortOctal(text: usize, end: usize): void {
  if (text + 2 > end || (load<u8>(text) & 0xfc) != 0x34 || (load<u8>(text + 1) & 0xf8) != 0x30) return;
  code = ((<u32>load<u8>(text) & 7) << 3) | (<u32>load<u8>(text + 1) & 7);
  escaped = text + 2;
}

function isOctal(text: usize, end: usize): bool {
  if (text + 3 > end || load<u8>(text) - ZERO > 3) return false;
  return (load<u8>(text + 1) & 0xf8) == 0x30 && (load<u8>(text + 2) & 0xf8) == 0x30;
}
