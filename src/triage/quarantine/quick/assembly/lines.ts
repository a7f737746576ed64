import { foldText } from "./fold";
import { endText, take } from "./memory";
import { isInLong } from "./sieves";
import { BLANK, WORD, folded, isOf } from "./byte-sets";

const LINE_FEED: u8 = 0x0a;
/** The maximum of characters in an item's number. */
const MAX_NUMBER: usize = 3;

/**
 * Searches the readings of `lineReadings`: lines without the bullets and numbers of list items, joined, their first letters, and
 * their last letters.
 */
export function isInLines(text: usize, length: usize): bool {
  const end = text + length;
  const letters = take(length);
  const firsts = take(length);
  const lasts = take(length);
  let count: usize = 0;
  let firstCount: usize = 0;
  let lastCount: usize = 0;
  let hasItems = false;
  for (let begin = text; begin < end;) {
    const stop = lineEnd(begin, end);
    const item = afterItem(begin, stop);
    if (item > begin && !hasItems) {
      // Text before the first item is unchanged.
      hasItems = true;
      count = foldText(text, begin - text, letters);
    }
    if (hasItems) count += foldText(item, stop - item, letters + count);
    begin = stop + 1;
    let from = item;
    let to = stop;
    while (from < to && isOf(from, BLANK)) from += 1;
    while (to > from && isOf(to - 1, BLANK)) to -= 1;
    if (from == to) continue;
    const first = folded(load<u8>(from));
    const last = folded(load<u8>(to - 1));
    if (first != 0) store<u8>(firsts + firstCount++, first);
    if (last != 0) store<u8>(lasts + lastCount++, last);
  }
  endText(letters, count);
  endText(firsts, firstCount);
  endText(lasts, lastCount);
  return isInLong(firsts, firstCount) || isInLong(lasts, lastCount) || isInLong(letters, count);
}

function lineEnd(text: usize, end: usize): usize {
  for (let at = text; at < end; at += 16) {
    const feeds = v128.bitmask<i8>(i8x16.eq(v128.load(at), i8x16.splat(LINE_FEED)));
    if (feeds != 0) return min(at + ctz(feeds), end);
  }
  return end;
}

/** Returns where the text of a list item begins; the beginning of the line if it is not a list item. */
function afterItem(line: usize, end: usize): usize {
  let at = line;
  while (at < end && isOf(at, BLANK)) at += 1;
  const begin = at;
  for (let next = afterMark(at, end); next != 0; next = afterMark(at, end)) at = next;
  if (at == begin || at >= end || !isOf(at, BLANK)) return line;
  while (at < end && isOf(at, BLANK)) at += 1;
  return at;
}

/** Returns the position after a bullet, a number with its delimiter, or a check box; 0: there is none. */
function afterMark(text: usize, end: usize): usize {
  if (text >= end) return 0;
  const byte = load<u8>(text);
  if (byte == 0x2d || byte == 0x2a || byte == 0x2b || byte == 0x3e) return text + 1;
  if (byte == 0x5b) {
    const inside = text + 2 < end ? load<u8>(text + 1) | 0x20 : 0;
    // The bit that makes a letter lower case is also set in a space, so the space is compared without it.
    return (inside == 0x78 || load<u8>(text + 1) == 0x20) && text + 2 < end && load<u8>(text + 2) == 0x5d
      ? text + 3
      : 0;
  }
  let at = byte == 0x28 ? text + 1 : text;
  const number = at;
  while (at < end && at < number + MAX_NUMBER && isOf(at, WORD)) at += 1;
  if (at == number || at >= end) return 0;
  const last = load<u8>(at);
  return last == 0x2e || last == 0x29 || last == 0x3a ? at + 1 : 0;
}
