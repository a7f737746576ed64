import { beginsEscape, escapeEnd } from "./escapes";
import { DIGIT, HEX, INERT, UNDISGUISED, isOf, membersOf } from "./byte-sets";
import { isBlank, UNCHANGED } from "./unescape";

const ESC: u8 = 0x1b;
const ZERO: u8 = 0x30;
const SMALL: u8 = 0x20;
const LAST_CODE: u32 = 0x10ffff;
/** Replaces a character above U+00FF. It belongs to no disguise and no shape, and is not white space. */
const PLACEHOLDER: u8 = 0xd7;

/** The end of the disguise (0: none), and the character that it stands for; `NOTHING`: none. */
let stop: usize = 0;
let plain: u32 = 0;
const NOTHING: u32 = 0xffffffff;
/**
 * Whether a decoded character is one that the next layer of `undisguised` would remove or decompose, which this module cannot do.
 */
export let isUnsure: bool = false;

/** Removes one layer of disguise, as `undisguised` does. Returns the length. UNCHANGED: there was no disguise. */
export function undisguise(text: usize, length: usize, to: usize): usize {
  const first = to;
  const end = text + length;
  let isChanged = false;
  isUnsure = false;
  while (text < end) {
    const bytes = v128.load(text);
    const others = ~membersOf(bytes, UNDISGUISED) & 0xffff;
    v128.store(to, bytes);
    const count = min(others == 0 ? <usize>16 : <usize>ctz(others), end - text);
    text += count;
    to += count;
    if (count == 16 || text == end) continue;
    stop = 0;
    if (!isOf(text, INERT)) match(text, end);
    if (stop == 0) {
      store<u8>(to++, load<u8>(text++));
      // The further bytes of a character in UTF-8.
      while (text < end && isOf(text, INERT)) store<u8>(to++, load<u8>(text++));
      continue;
    }
    isChanged = true;
    if (plain != NOTHING) store<u8>(to++, plain <= 0xff ? <u8>plain : above(plain));
    if (plain > 0xffff && plain != NOTHING) store<u8>(to++, PLACEHOLDER);
    text = stop;
  }
  return isChanged ? to - first : UNCHANGED;
}

/** Returns the byte that replaces a character above U+00FF. */
function above(code: u32): u8 {
  if (isBlank(code) && code != 0xfeff) return SMALL;
  // Letters with marks, letters in circles, full-width letters, dashes, and invisible characters.
  const isDisguise =
    code < 0x600 ||
    (code >= 0x61c && code < 0x620) ||
    (code >= 0x1100 && code < 0x1200) ||
    (code >= 0x1780 && code < 0x1900) ||
    (code >= 0x1a00 && code < 0x2500) ||
    (code >= 0x3100 && code < 0x3200) ||
    code >= 0xd800;
  if (isDisguise) isUnsure = true;
  return PLACEHOLDER;
}

function match(text: usize, end: usize): void {
  const byte = load<u8>(text);
  plain = NOTHING;
  if (beginsEscape(byte)) {
    stop = escapeEnd(text, end);
    if (stop == 0 && byte == ESC) stop = text + 1;
  } else if (byte < SMALL || byte == 0x7f || byte == 0xad) stop = text + 1;
  else if (byte == 0x26) matchEntity(text + 1, end);
  else if (byte == 0x25) matchPercent(text + 1, end);
  else if (byte == 0x5c) matchBackslash(text + 1, end);
  else if (byte >= 0xb2) matchHigh(text, end);
}

/** Matches invisible characters in UTF-8, and Latin-1 letters with marks. */
function matchHigh(text: usize, end: usize): void {
  // Treats both cases of the byte's Latin-1 letter alike.
  const lead = load<u8>(text) | SMALL;
  const second: u8 = text + 1 < end ? load<u8>(text + 1) : 0;
  const third: u8 = text + 2 < end ? load<u8>(text + 2) : 0;
  if (
    lead == 0xe2 &&
    second == 0x80 &&
    ((third >= 0x8b && third <= 0x8f) || (third >= 0xaa && third <= 0xae))
  )
    stop = text + 3;
  else if (lead == 0xe2 && second == 0x81 && third >= 0xa0 && third <= 0xaf) stop = text + 3;
  else if (lead == 0xef && second == 0xbb && third == 0xbf) stop = text + 3;
  else if (lead == 0xef && second == 0xb8 && third >= 0x80 && third <= 0x8f) stop = text + 3;
  else if (lead == 0xe1 && second == 0xa0 && third == 0x8e) stop = text + 3;
  else if ((lead == 0xe2 && second == 0xad) || (lead == 0xed && second == 0x8f)) stop = text + 2;
  else matchLetter(text, second >= 0x80 && second <= 0xbf);
}

/** Matches a superscript digit, or a letter with a mark that is not the first byte of a character in UTF-8. */
function matchLetter(text: usize, isFollowed: bool): void {
  const byte = load<u8>(text);
  const letter = letterOf(byte);
  if (letter == 0 || (isFollowed && byte >= 0xc0 && byte != 0xff)) return;
  stop = text + 1;
  plain = letter;
}

/** Returns the ASCII letter or digit of the byte; 0: none. */
function letterOf(byte: u8): u32 {
  if (byte < 0xc0) return byte == 0xb9 ? 0x31 : byte == 0xb2 || byte == 0xb3 ? byte & 0x3f : 0;
  const letter = <u32>(
    "AAAAAA.CEEEEIIII.NOOOOO..UUUUY..aaaaaa.ceeeeiiii.nooooo..uuuuy.y".charCodeAt(byte - 0xc0)
  );
  return letter == 0x2e ? 0 : letter;
}

function matchEntity(text: usize, end: usize): void {
  if (text < end && load<u8>(text) == 0x23) {
    const isHex = text + 1 < end && (load<u8>(text + 1) | SMALL) == 0x78;
    const digits = isHex ? text + 2 : text + 1;
    matchCode(afterZeros(digits, end, isHex ? HEX : DIGIT), end, isHex ? 16 : 10, 1, isHex ? 6 : 7);
    if (stop != 0 && stop < end && load<u8>(stop) == 0x3b) stop += 1;
  } else matchNamed(text, end);
}

/** Returns the position after up to thirty zeros. The last zero is kept when no digit follows. */
function afterZeros(text: usize, end: usize, digits: u32): usize {
  const from = text;
  while (text < end && text < from + 30 && load<u8>(text) == ZERO) text += 1;
  return text > from && (text >= end || !isOf(text, digits)) ? text - 1 : text;
}

/** Matches at least `least` and at most `most` digits. */
function matchCode(text: usize, end: usize, radix: u32, least: usize, most: usize): void {
  let value: u32 = 0;
  let at = text;
  for (; at < end && at < text + most; at += 1) {
    const byte = <u32>load<u8>(at);
    const isDigit = isOf(at, radix == 10 ? DIGIT : HEX) && (radix > 8 || byte < 0x38);
    if (!isDigit) break;
    value = value * radix + (byte < 0x40 ? byte & 0x0f : (byte & 0x07) + 9);
  }
  if (at - text < least) return;
  stop = at;
  plain = value > 0 && value <= LAST_CODE ? value : NOTHING;
}

function matchNamed(text: usize, end: usize): void {
  const name = text;
  while (text < end && text < name + 15 && load<u8>(text) != 0x3b) text += 1;
  if (text >= end || load<u8>(text) != 0x3b) return;
  for (let at = 0; at < NAMES.length;) {
    let length = 0;
    while (NAMES.charCodeAt(at + length) != 0x20) length += 1;
    const byte = NAMES.charCodeAt(at + length + 1);
    if (<usize>length == text - name && isName(name, at, length)) {
      stop = text + 1;
      plain = byte == 0x20 ? NOTHING : byte;
      return;
    }
    at += length + 3;
  }
}

/** The names of entities, each with its character; a space: an invisible character. */
const NAMES =
  "lowbar _ underbar _ hyphen - dash - period . sol / colon : equals = commat @ plus + ast * num # bsol \\ amp & lt < gt > quot \" apos ' zerowidthspace   nobreak   shy   zwj   zwnj   lrm   rlm   ";

function isName(text: usize, at: i32, length: i32): bool {
  for (let index = 0; index < length; index += 1)
    if ((load<u8>(text + index) | SMALL) != <u8>NAMES.charCodeAt(at + index)) return false;
  return true;
}

function matchPercent(text: usize, end: usize): void {
  let times = 0;
  while (times < 30 && text + 2 <= end && load<u8>(text) == 0x32 && load<u8>(text + 1) == 0x35) {
    text += 2;
    times += 1;
  }
  if (text < end && isOf(text, DIGIT) && load<u8>(text) < 0x38) matchCode(text, end, 16, 2, 2);
  // If no code follows, the last `25` is itself the code: a percent sign.
  if (stop == 0 && times > 0) {
    stop = text;
    plain = 0x25;
  }
}

function matchBackslash(text: usize, end: usize): void {
  if (text >= end) return;
  const byte = load<u8>(text);
  const kind = byte | SMALL;
  if (kind == 0x75) matchUnicode(text + 1, end);
  else if (kind == 0x78) matchCode(text + 1, end, 16, 2, 2);
  else if (byte == ZERO && isOctal(text + 1, end)) matchCode(text + 1, end, 8, 3, 3);
  else if (isOctal(text, end)) matchCode(text, end, 8, 3, 3);
  else if (kind == 0x6e || kind == 0x72 || kind == 0x74) take(text, 0x20);
  else if (
    byte > 0x20 &&
    byte < 0x7f &&
    !isOf(text, HEX) &&
    (kind < 0x61 || kind > 0x7a) &&
    !isOf(text, DIGIT)
  )
    take(text, byte);
}

function take(text: usize, byte: u32): void {
  stop = text + 1;
  plain = byte;
}

function matchUnicode(text: usize, end: usize): void {
  if (text + 4 <= end && load<u32>(text) == 0x30303030) matchCode(text + 4, end, 16, 4, 4);
  if (stop == 0) matchCode(text, end, 16, 4, 4);
  if (stop != 0 || text >= end || load<u8>(text) != 0x7b) return;
  matchCode(text + 1, end, 16, 1, 6);
  if (stop != 0 && stop < end && load<u8>(stop) == 0x7d) stop += 1;
  else stop = 0;
}

/** Returns whether the text begins with three octal digits of which the first is at most 1. */
function isOctal(text: usize, end: usize): bool {
  if (text + 3 > end || (load<u8>(text) & 0xfe) != ZERO) return false;
  return (load<u8>(text + 1) & 0xf8) == 0x30 && (load<u8>(text + 2) & 0xf8) == 0x30;
}
