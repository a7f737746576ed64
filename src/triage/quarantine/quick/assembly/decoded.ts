import { base64Bytes, isInBase64 } from "./base64";
import { isInCodes } from "./codes";
import { foldText } from "./fold";
import { endText, mark, release, take } from "./memory";
import { foundEnd, nextRun } from "./runs";
import { isInLong, leastDecoded } from "./sieves";
import { CODED, TELLING, VISIBLE, WRITTEN } from "./byte-sets";
import { holdsToken } from "./tokens";
import { isInWord } from "./words";

/** `decodedStretches` decodes nothing in shorter stretches. */
const MIN_STRETCH: usize = 12;
const MIN_CODED: usize = 23;
const MIN_VISIBLE: usize = 14;
/** The minimum of printable characters in a row, with or without zero bytes between them, as in `decodedStretches`. */
const MIN_TELLING: usize = 8;
/** How many encodings may be nested, as in `decodedStretches`. */
const MAX_DEPTH: i32 = 3;

/**
 * Returns whether the text, decoded from any encoding, may contain one of the stretches. At least 64 zero bytes must follow the
 * text.
 */
export function isDecodedIn(text: usize, length: usize, depth: i32): bool {
  const marked = mark();
  const isFound = isInText(text, length, depth);
  release(marked);
  return isFound;
}

function isInText(text: usize, length: usize, depth: i32): bool {
  const end = text + length;
  const least = leastDecoded();
  // Each stretch has at least twelve characters, and a separator of four.
  const bytes = take(length + length / 3 + 16);
  const count = base64Bytes(text, length, bytes);
  if (isInBase64(bytes, count, least, depth)) return true;
  release(bytes);
  for (let begin = nextRun(text, end, CODED, MIN_CODED); begin != 0;) {
    const stop = foundEnd;
    const marked = mark();
    if (isInCodes(begin, stop, least, depth)) return true;
    release(marked);
    if (stop >= end) break;
    begin = nextRun(stop, end, CODED, MIN_CODED);
  }
  for (let begin = nextRun(text, end, VISIBLE, MIN_VISIBLE); begin != 0;) {
    const stop = foundEnd;
    const marked = mark();
    if (isInWord(begin, stop, least, depth)) return true;
    release(marked);
    if (stop >= end) break;
    begin = nextRun(stop, end, VISIBLE, MIN_VISIBLE);
  }
  return false;
}

/** Added to a depth to search for tokens instead of secrets. */
export const TOKENS: i32 = 16;

/**
 * Returns whether a decoded text, or a text that is encoded in it, may contain one of the stretches. Releases the memory of the
 * text.
 */
export function isPlainIn(plain: usize, length: usize, depth: i32): bool {
  const isFound =
    depth > TOKENS
      ? holdsToken(plain, length, depth - TOKENS)
      : nextRun(plain, plain + length, TELLING, MIN_TELLING) != 0 && isInPlain(plain, length, depth);
  release(plain);
  return isFound;
}

function isInPlain(plain: usize, length: usize, depth: i32): bool {
  const letters = take(length);
  const count = foldText(plain, length, letters);
  endText(letters, count);
  if (isInLong(letters, count)) return true;
  if (depth >= MAX_DEPTH) return false;
  const end = plain + length;
  for (let begin = nextRun(plain, end, WRITTEN, MIN_STRETCH); begin != 0;) {
    const stop = foundEnd;
    const size = stop - begin;
    const text = take(size);
    memory.copy(text, begin, size);
    endText(text, size);
    if (isDecodedIn(text, size, depth + 1)) return true;
    release(text);
    if (stop >= end) break;
    begin = nextRun(stop, end, WRITTEN, MIN_STRETCH);
  }
  return false;
}
