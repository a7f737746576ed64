import { ROTATED_MAX_CHARACTERS } from "../text-readings.ts";
import type { GramFilter } from "./gram-filter.ts";
import { BLANK, FOLDED, FOLDED_ROT47, ROTATED } from "./signs.ts";

/** The readings of `spreadReadings` but for its lines and rotations: words, strides and rot47. */
export function isSpreadIn(view: Uint8Array, grams: GramFilter): boolean {
  const { signs, letters, firsts, lasts } = partsOf(view);
  if (grams.isIn(firsts) || grams.isIn(lasts) || grams.isIn(signs, { table: FOLDED_ROT47 })) return true;
  const sources = letters.length < signs.length ? [signs, letters] : [signs];
  for (const source of sources)
    for (const stride of [2, 3, 4])
      for (let offset = 0; offset < stride; offset += 1)
        if (grams.isIn(source, { stride, offset })) return true;
  return false;
}

/** The rotations of the alphabet of `spreadReadings`. */
export function isRotatedIn(view: Uint8Array, grams: GramFilter): boolean {
  return view.length <= ROTATED_MAX_CHARACTERS && ROTATED.some((table) => grams.isIn(view, { table }));
}

interface Parts {
  /** Without blanks. */
  signs: Uint8Array;
  letters: Uint8Array;
  /** The first and the last sign of each word. */
  firsts: Uint8Array;
  lasts: Uint8Array;
}

function partsOf(view: Uint8Array): Parts {
  const signs = new Uint8Array(view.length);
  const letters = new Uint8Array(view.length);
  const firsts = new Uint8Array(view.length);
  const lasts = new Uint8Array(view.length);
  let [signCount, letterCount, words, before, isAfterBlank] = [0, 0, 0, 0, 1];
  for (let at = 0; at < view.length; at += 1) {
    const sign = view[at] as number;
    if (BLANK[sign] === 1) {
      isAfterBlank = 1;
      continue;
    }
    if (isAfterBlank === 1) {
      firsts[words] = sign;
      // The end of the word before.
      lasts[words] = before;
      words += 1;
      isAfterBlank = 0;
    }
    before = sign;
    signs[signCount] = sign;
    signCount += 1;
    letters[letterCount] = sign;
    if (FOLDED[sign] !== 0) letterCount += 1;
  }
  const ends = Math.min(words + 1, view.length);
  if (words < ends) lasts[words] = before;
  return {
    signs: signs.subarray(0, signCount),
    letters: letters.subarray(0, letterCount),
    firsts: firsts.subarray(0, words),
    lasts: lasts.subarray(0, ends),
  };
}
