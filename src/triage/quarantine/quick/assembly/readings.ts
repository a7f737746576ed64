import { compact, foldedVector, foldRot47, gather, lettersIn, rotateLetters, within } from "./fold";
import { isInLines } from "./lines";
import { endText, mark, release, take } from "./memory";
import { isInLong } from "./sieves";
import { BLANK, membersOf } from "./byte-sets";

/** Longer texts are logs, as for `spreadReadings`. */
const SPREAD_MAX: usize = 512 * 1024;
const ROTATED_MAX: usize = 64 * 1024;

/** Returns whether a reading of `spreadReadings` contains one of the stretches. `letters` are the folded letters of the text. */
export function isSpreadIn(text: usize, length: usize, letters: usize, count: usize): bool {
  if (length > SPREAD_MAX) return false;
  const marked = mark();
  const isFound =
    isInWords(text, length, letters, count) ||
    isInLines(text, length) ||
    isInRot47(text, length) ||
    (length <= ROTATED_MAX && isRotatedIn(letters, count));
  release(marked);
  return isFound;
}

/** Searches the first and the last letters of words, and every second, third and fourth character or letter. */
function isInWords(text: usize, length: usize, letters: usize, count: usize): bool {
  const visible = take(length);
  const firsts = take(length + 16);
  const lasts = take(length + 16);
  let visibleCount: usize = 0;
  let firstCount: usize = 0;
  let lastCount: usize = 0;
  /** 1 when the preceding character, the last byte of the previous vector, belongs to a word. */
  let inWord: u32 = 0;
  let before = i8x16.splat(0);
  for (let at: usize = 0; at < length; at += 16) {
    const bytes = v128.load(text + at);
    const letter = foldedVector(bytes);
    const word = within(~membersOf(bytes, BLANK) & 0xffff, length - at);
    visibleCount += gather(letter, word, visible + visibleCount);
    const shifted = (word << 1) | inWord;
    const begins = word & ~shifted;
    if (begins != 0) firstCount += gather(letter, begins & lettersIn(letter), firsts + firstCount);
    // The last character of a word is before the first white space.
    const ends = ~word & shifted & 0xffff;
    if (ends != 0) {
      const previous = v128.shuffle<i8>(
        before,
        letter,
        15,
        16,
        17,
        18,
        19,
        20,
        21,
        22,
        23,
        24,
        25,
        26,
        27,
        28,
        29,
        30,
      );
      lastCount += gather(previous, ends & lettersIn(previous), lasts + lastCount);
    }
    inWord = word >>> 15;
    before = letter;
  }
  const last: u8 = inWord != 0 ? i8x16.extract_lane_u(before, 15) : 0;
  if (last != 0) store<u8>(lasts + lastCount++, last);
  endText(visible, visibleCount);
  endText(firsts, firstCount);
  endText(lasts, lastCount);
  return (
    isInLong(firsts, firstCount) ||
    isInLong(lasts, lastCount) ||
    isStriddenIn(visible, visibleCount) ||
    (count < visibleCount && isStriddenIn(letters, count))
  );
}

/** Searches every second, third and fourth letter. Zero bytes count as letters, but are not searched for. */
function isStriddenIn(letters: usize, count: usize): bool {
  const marked = mark();
  const isFound = isInHalves(letters, count, true) || isInThirds(letters, count);
  release(marked);
  return isFound;
}

/** `isTwice`: every second letter of the halves is searched, too. */
function isInHalves(letters: usize, count: usize, isTwice: bool): bool {
  const half = (count + 1) / 2;
  const evens = take(half);
  const odds = take(half);
  for (let at: usize = 0; at < half; at += 16) {
    const low = v128.load(letters + 2 * at);
    const high = v128.load(letters + 2 * at + 16);
    v128.store(
      evens + at,
      v128.shuffle<i8>(low, high, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
    );
    v128.store(
      odds + at,
      v128.shuffle<i8>(low, high, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31),
    );
  }
  endText(evens, half);
  endText(odds, half);
  if (isTwice && (isInHalves(evens, half, false) || isInHalves(odds, half, false))) return true;
  return isInBytes(evens, half) || isInBytes(odds, half);
}

function isInThirds(letters: usize, count: usize): bool {
  const third = (count + 2) / 3;
  const firsts = take(third);
  const seconds = take(third);
  const thirds = take(third);
  for (let at: usize = 0; at < third; at += 16) {
    const low = v128.load(letters + 3 * at);
    const middle = v128.load(letters + 3 * at + 16);
    const high = v128.load(letters + 3 * at + 32);
    let some = v128.shuffle<i8>(low, middle, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
    v128.store(
      firsts + at,
      v128.shuffle<i8>(some, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29),
    );
    some = v128.shuffle<i8>(low, middle, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0);
    v128.store(
      seconds + at,
      v128.shuffle<i8>(some, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30),
    );
    some = v128.shuffle<i8>(low, middle, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0);
    v128.store(
      thirds + at,
      v128.shuffle<i8>(some, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31),
    );
  }
  endText(firsts, third);
  endText(seconds, third);
  endText(thirds, third);
  return isInBytes(firsts, third) || isInBytes(seconds, third) || isInBytes(thirds, third);
}

/** Searches letters with zero bytes between them, which it removes. */
function isInBytes(bytes: usize, length: usize): bool {
  const count = compact(bytes, length);
  endText(bytes, count);
  return isInLong(bytes, count);
}

function isInRot47(text: usize, length: usize): bool {
  const letters = take(length);
  const count = foldRot47(text, length, letters);
  endText(letters, count);
  return isInLong(letters, count);
}

function isRotatedIn(letters: usize, count: usize): bool {
  const rotated = take(count);
  for (let by: i8 = 1; by < 26; by += 1) {
    rotateLetters(letters, count, by, rotated);
    endText(rotated, count);
    if (isInLong(rotated, count)) return true;
  }
  return false;
}
