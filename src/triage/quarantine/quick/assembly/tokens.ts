import { isEncodedIn } from "./encoded";
import { endText, mark, release, take } from "./memory";
import { nextRun } from "./runs";
import { ALL, BACKWARDS, MEASURED, readWhole, ROTATED, scan, SHAPE, TELLING } from "./shapes";
import { READABLE } from "./byte-sets";
import { joined, lettersOf } from "./split";
import { hasByte } from "./view";
import { isUnsure, undisguise } from "./undisguise";
import { UNCHANGED } from "./unescape";

/** How many layers `undisguised` removes at most. */
const MAX_LAYERS = 4;
/** Longer texts are logs, in which only words are joined, as in `splitSecrets`. */
const JOINED_MAX: usize = 300000;
/** The length of the shortest credential. */
const MIN_TEXT: usize = 15;
/** How many encodings of a token may be nested. */
const MAX_DEPTH: i32 = 2;
const NO_BREAK_SPACE: u8 = 0xa0;

/** Returns whether `maskSecrets` may find something in the text. At least 64 zero bytes must follow the text. */
export function isMaskedIn(text: usize, length: usize): bool {
  const marked = mark();
  const isFound = isInView(text, length, true) || isInLayers(text, length);
  release(marked);
  return isFound;
}

function isInLayers(source: usize, sourceLength: usize): bool {
  let text = source;
  let length = sourceLength;
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const next = take(length);
    const nextLength = undisguise(text, length, next);
    if (nextLength == UNCHANGED) break;
    if (isUnsure) return true;
    text = next;
    length = nextLength;
    endText(text, length);
    if (isInView(text, length, false)) return true;
  }
  return text != source && isInView(text, length, true);
}

/** `isOutermost`: also searches for tokens that are split, encoded, reversed or rotated. */
function isInView(text: usize, length: usize, isOutermost: bool): bool {
  const seen = scan(text, length, ALL);
  if ((seen & SHAPE) != 0) return true;
  return (
    isOutermost && (isTurnedIn(text, length, seen) || isSplitIn(text, length) || isEncoded(text, length))
  );
}

function isTurnedIn(text: usize, length: usize, seen: u32): bool {
  if (seen == 0) return false;
  const turned = take(length);
  if ((seen & BACKWARDS) != 0) {
    for (let at: usize = 0; at < length; at += 1) store<u8>(turned + at, load<u8>(text + length - 1 - at));
    endText(turned, length);
    if ((scan(turned, length, TELLING) & SHAPE) != 0) return true;
  }
  if ((seen & ROTATED) != 0) {
    for (let at: usize = 0; at < length; at += 1) store<u8>(turned + at, rotated(load<u8>(text + at)));
    endText(turned, length);
    if ((scan(turned, length, TELLING) & SHAPE) != 0) return true;
  }
  release(turned);
  return false;
}

/** Rotates a letter by thirteen places. */
function rotated(byte: u8): u8 {
  const small = byte | 0x20;
  if (small < 0x61 || small > 0x7a) return byte;
  return small < 0x6e ? byte + 13 : byte - 13;
}

function isSplitIn(text: usize, length: usize): bool {
  const whole = take(length);
  let count = joined(text, length, whole);
  endText(whole, count);
  if ((scan(whole, count, TELLING) & SHAPE) != 0) return true;
  if (length <= JOINED_MAX) {
    count = lettersOf(text, length, whole);
    endText(whole, count);
    if ((scan(whole, count, MEASURED) & SHAPE) != 0) return true;
  }
  release(whole);
  return false;
}

function isEncoded(text: usize, length: usize): bool {
  if (!hasByte(text, length, NO_BREAK_SPACE)) return isEncodedIn(text, length, 1);
  // A no-break space can also separate two codes.
  const spaced = take(length);
  for (let at: usize = 0; at < length; at += 1) {
    const byte = load<u8>(text + at);
    store<u8>(spaced + at, byte == NO_BREAK_SPACE ? 0x20 : byte);
  }
  endText(spaced, length);
  return isEncodedIn(spaced, length, 1);
}

/** Returns whether a decoded text, or a text that is encoded in it, may contain a token. */
export function holdsToken(plain: usize, length: usize, depth: i32): bool {
  if (nextRun(plain, plain + length, READABLE, MIN_TEXT) == 0) return false;
  if ((scan(plain, length, TELLING) & SHAPE) != 0) return true;
  if (isTurnedIn(plain, length, BACKWARDS | ROTATED)) return true;
  if (depth >= MAX_DEPTH) return false;
  const isWhole = readWhole(false);
  const isFound = isEncodedIn(plain, length, depth + 1);
  readWhole(isWhole);
  return isFound;
}
