import type { GramFilter } from "./gram-filter.ts";
import { BLANK, FOLDED } from "./signs.ts";

const LINE_FEED = 0x0a;
const LIST_SIGN = Uint8Array.from({ length: 256 }, (_, code) =>
  /[-*+>([]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const NUMBER_END = Uint8Array.from({ length: 256 }, (_, code) =>
  /[.):]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * Whether the first or the last letters of lines hold a secret; null when a line may begin with the sign or the number of a list
 * item, so that its readings are others.
 */
export function isInLineEnds(view: Uint8Array, grams: GramFilter): boolean | null {
  const firsts: number[] = [];
  const lasts: number[] = [];
  for (let begin = 0; begin < view.length;) {
    const found = view.indexOf(LINE_FEED, begin);
    const end = found === -1 ? view.length : found;
    let [first, last] = [begin, end - 1];
    while (first < end && BLANK[view[first] as number] === 1) first += 1;
    while (last > first && BLANK[view[last] as number] === 1) last -= 1;
    if (first < end) {
      if (mayBeListItem(view, first)) return null;
      firsts.push(FOLDED[view[first] as number] as number);
      lasts.push(FOLDED[view[last] as number] as number);
    }
    begin = end + 1;
  }
  return grams.isIn(Uint8Array.from(firsts)) || grams.isIn(Uint8Array.from(lasts));
}

function mayBeListItem(view: Uint8Array, first: number): boolean {
  if (LIST_SIGN[view[first] as number] === 1) return true;
  return [1, 2, 3].some((after) => NUMBER_END[view[first + after] ?? 0] === 1);
}
