import { foldedVector, foldRot47, gather, rotateLetters, within } from "./fold";
import { isInLines } from "./lines";
import { endText, mark, release, take } from "./memory";
import { isInLong } from "./sieves";
import { BLANK, membersOf } from "./signs";

/** Longer texts are logs, as for `spreadReadings`. */
const SPREAD_MAX: usize = 512 * 1024;
const ROTATED_MAX: usize = 64 * 1024;

/** Whether a reading of `spreadReadings` contains one of the stretches. `letters` are the folded letters of the text. */
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
  const signs = take(length);
  const firsts = take(length + 16);
  const lasts = take(length + 16);
  let signCount: usize = 0;
  let firstCount: usize = 0;
  let lastCount: usize = 0;
  /** 1 when the preceding character, the last byte of the previous vector, belongs to a word. */
  let inWord: u32 = 0;
  let before = i8x16.splat(0);
  for (let at: usize = 0; at < length; at += 16) {
    const bytes = v128.load(text + at);
    const letter = foldedVector(bytes);
    const word = within(~membersOf(bytes, BLANK) & 0xffff, length - at);
    signCount += gather(letter, word, signs + signCount);
    const shifted = (word << 1) | inWord;
    const begins = word & ~shifted;
    if (begins != 0) firstCount += gather(letter, begins, firsts + firstCount);
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
      lastCount += gather(previous, ends, lasts + lastCount);
    }
    inWord = word >>> 15;
    before = letter;
  }
  if (inWord != 0) store<u8>(lasts + lastCount++, i8x16.extract_lane_u(before, 15));
  endText(signs, signCount);
  endText(firsts, firstCount);
  endText(lasts, lastCount);
  return (
    isInLong(firsts, firstCount, 1, 0) ||
    isInLong(lasts, lastCount, 1, 0) ||
    isStriddenIn(signs, signCount) ||
    (count < signCount && isStriddenIn(letters, count))
  );
}

function isStriddenIn(letters: usize, count: usize): bool {
  for (let stride: usize = 2; stride <= 4; stride += 1)
    for (let offset: usize = 0; offset < stride; offset += 1)
      if (isInLong(letters, count, stride, offset)) return true;
  return false;
}

function isInRot47(text: usize, length: usize): bool {
  const letters = take(length);
  const count = foldRot47(text, length, letters);
  endText(letters, count);
  return isInLong(letters, count, 1, 0);
}

function isRotatedIn(letters: usize, count: usize): bool {
  const rotated = take(count);
  for (let by: i8 = 1; by < 26; by += 1) {
    rotateLetters(letters, count, by, rotated);
    endText(rotated, count);
    if (isInLong(rotated, count, 1, 0)) return true;
  }
  return false;
}
