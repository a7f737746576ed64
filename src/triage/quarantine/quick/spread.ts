import { ROTATED_MAX_CHARACTERS } from "../text-readings.ts";
import type { GramFilter } from "./gram-filter.ts";
import { BLANK, FOLDED, FOLDED_ROT47, ROTATED } from "./signs.ts";

/** The readings of `spreadReadings` but for its lines and rotations: words, strides and rot47. */
export function isSpreadIn(view: Uint8Array, grams: GramFilter): boolean {
  const signs = new Uint8Array(view.length);
  const folded = new Uint8Array(view.length);
  const firsts = new Uint8Array(view.length);
  const lasts = new Uint8Array(view.length);
  let [signCount, foldedCount, words] = [0, 0, 0];
  let isAfterBlank = 1;
  for (let at = 0; at < view.length; at += 1) {
    const sign = view[at] as number;
    if (BLANK[sign] === 1) {
      isAfterBlank = 1;
      continue;
    }
    if (isAfterBlank === 1) {
      firsts[words] = sign;
      lasts[words] = signCount === 0 ? 0 : (signs[signCount - 1] as number);
      words += 1;
      isAfterBlank = 0;
    }
    signs[signCount] = sign;
    signCount += 1;
    const letter = FOLDED[sign] as number;
    folded[foldedCount] = letter;
    if (letter !== 0) foldedCount += 1;
  }
  // The last letter of a word is noted when the next word begins.
  if (words > 0) lasts[words] = signs[signCount - 1] as number;
  if (grams.has(firsts, { length: words }) || grams.has(lasts, { length: Math.min(words + 1, view.length) }))
    return true;
  if (grams.has(signs, { length: signCount, table: FOLDED_ROT47 })) return true;
  for (const stride of [2, 3, 4]) {
    for (let offset = 0; offset < stride; offset += 1) {
      if (grams.hasFolded({ folded, length: foldedCount, stride, offset })) return true;
      if (foldedCount < signCount && grams.has(signs, { length: signCount, stride, offset })) return true;
    }
  }
  return false;
}

/** The rotations of the alphabet of `spreadReadings`. */
export function isRotatedIn(view: Uint8Array, grams: GramFilter): boolean {
  return (
    view.length <= ROTATED_MAX_CHARACTERS && ROTATED.some((rotated) => grams.has(view, { table: rotated }))
  );
}
