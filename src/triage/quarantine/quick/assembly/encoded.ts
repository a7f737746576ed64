import { isInBase64 } from "./base64";
import { allDigits, isInBits, isInDigits, isInNumbers } from "./codes";
import { TOKENS } from "./decoded";
import { mark, release, take } from "./memory";
import { foundEnd, nextRun, runEnd } from "./runs";
import { readWhole } from "./shapes";
import { BASE32_LARGE, BASE64, BITS, BLANK, CODED, HEX, isOf, NUMBERS } from "./byte-sets";
import { isInBase32Of } from "./words";

/** The minimum lengths of stretches in which `encodedSecrets` searches for tokens. */
const MIN_FIRST_LINE: usize = 12;
const MIN_FURTHER_LINE: usize = 4;
const MIN_STRETCH: usize = 28;
const MIN_NUMBERS: usize = 62;
const MIN_BITS: usize = 160;
const MAX_INDENT: usize = 9;
/** The maximum of hexadecimal digits in a group, and the minimum of groups in a stretch. */
const MAX_GROUP: usize = 16;
const MIN_GROUPS = 4;
/** The size of the shortest token in bytes. */
const LEAST: usize = 15;

/** Returns whether the text may contain a token in one of the encodings of `encodedSecrets`. */
export function isEncodedIn(text: usize, length: usize, depth: i32): bool {
  const marked = mark();
  const end = text + length;
  const tokens = TOKENS + depth;
  const isFound =
    isInLines(text, end, tokens) ||
    isInCodes(text, end, tokens) ||
    isInBase32Of(text, end, BASE32_LARGE, LEAST, tokens);
  release(marked);
  return isFound;
}

/** Searches base64 in lines, which may be indented or quoted. */
function isInLines(text: usize, end: usize, depth: i32): bool {
  let done = text;
  for (let begin = nextRun(text, end, BASE64, MIN_FIRST_LINE); begin != 0;) {
    const stop = foundEnd;
    if (begin >= done) {
      const marked = mark();
      const bytes = take(end - begin);
      let count = copy(begin, stop, bytes);
      done = stop;
      for (let line = furtherLine(done, end); line != 0; line = furtherLine(done, end)) {
        done = runEnd(line, end, BASE64);
        count += copy(line, done, bytes + count);
      }
      if (done - begin >= MIN_STRETCH && isInBase64(bytes, count, LEAST, depth)) return true;
      release(marked);
    }
    if (stop >= end) break;
    begin = nextRun(stop, end, BASE64, MIN_FIRST_LINE);
  }
  return false;
}

function copy(from: usize, end: usize, to: usize): usize {
  for (let at: usize = 0; at < end - from; at += 16) v128.store(to + at, v128.load(from + at));
  return end - from;
}

/** Returns where the base64 of the next line begins; 0: the next line has none. */
function furtherLine(text: usize, end: usize): usize {
  let at = text;
  if (at < end && load<u8>(at) == 0x0d) at += 1;
  if (at >= end || load<u8>(at) != 0x0a) return 0;
  at += 1;
  const indent = at;
  while (at < end && at < indent + MAX_INDENT && isIndent(load<u8>(at))) at += 1;
  return runEnd(at, end, BASE64) - at < MIN_FURTHER_LINE ? 0 : at;
}

function isIndent(byte: u8): bool {
  return byte == 0x20 || byte == 0x09 || byte == 0x3e;
}

/** Searches hexadecimal digits with any separators, numbers and bits. */
function isInCodes(text: usize, end: usize, depth: i32): bool {
  for (let begin = nextRun(text, end, CODED, MIN_STRETCH); begin != 0;) {
    const stop = foundEnd;
    const marked = mark();
    if (isInHex(begin, stop, depth)) return true;
    if (isInRuns(begin, stop, NUMBERS, MIN_NUMBERS, depth) || isInRuns(begin, stop, BITS, MIN_BITS, depth))
      return true;
    release(marked);
    if (stop >= end) break;
    begin = nextRun(stop, end, CODED, MIN_STRETCH);
  }
  return false;
}

function isInHex(text: usize, end: usize, depth: i32): bool {
  const digits = take(end - text);
  const count = allDigits(text, end, true, digits);
  if (isInPairs(digits, count, depth)) {
    if (!isOneStretch(text, end)) return true;
    const whole = allDigits(wholeBegin, wholeEnd, true, digits);
    const before = readWhole(true);
    const isFound = isInPairs(digits, whole, depth);
    readWhole(before);
    return isFound;
  }
  // A zero before an `x` may be a digit of the preceding text.
  const more = allDigits(text, end, false, digits);
  return more != count && isInPairs(digits, more, depth);
}

function isInPairs(digits: usize, count: usize, depth: i32): bool {
  return isInDigits(digits, count, 0, LEAST, depth) || isInDigits(digits, count, 1, LEAST, depth);
}

/** The only stretch of hexadecimal digits in a text. */
let wholeBegin: usize = 0;
let wholeEnd: usize = 0;

/**
 * Returns whether `encodedSecrets` reads all digits as one stretch, except for a single digit at either end: groups of two to
 * sixteen digits, separated by one or two spaces, colons or dashes.
 */
function isOneStretch(text: usize, end: usize): bool {
  let at = digitFrom(text, end);
  if (runEnd(at, end, HEX) - at == 1) at = digitFrom(at + 1, end);
  wholeBegin = at;
  let groups = 0;
  while (at < end && isOf(at, HEX)) {
    const stop = runEnd(at, end, HEX);
    if (stop - at < 2) {
      at = stop;
      break;
    }
    if (stop - at > MAX_GROUP) return false;
    groups += 1;
    wholeEnd = stop;
    at = stop;
    while (at < end && at < stop + 2 && isGroupGap(at)) at += 1;
    if (at == stop) break;
  }
  return digitFrom(at, end) == end && groups >= MIN_GROUPS;
}

function digitFrom(text: usize, end: usize): usize {
  while (text < end && !isOf(text, HEX)) text += 1;
  return text;
}

function isGroupGap(at: usize): bool {
  const byte = load<u8>(at);
  return isOf(at, BLANK) || byte == 0x3a || byte == 0x2d;
}

function isInRuns(text: usize, end: usize, set: u32, least: usize, depth: i32): bool {
  for (let begin = nextRun(text, end, set, least); begin != 0;) {
    const stop = foundEnd;
    if (set == BITS ? isInBits(begin, stop, depth) : isInNumbers(begin, stop, depth)) return true;
    if (stop >= end) break;
    begin = nextRun(stop, end, set, least);
  }
  return false;
}
