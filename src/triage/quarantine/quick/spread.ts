import { ROTATED_MAX_CHARACTERS } from "../text-readings.ts";
import type { GramFilter } from "./gram-filter.ts";
import { mapped, type Parts } from "./parts.ts";
import { FOLDED_ROT47, ROTATED } from "./signs.ts";

/** The readings of `spreadReadings` but for its lines and rotations: words, strides and rot47. */
export function isSpreadIn(
  view: Uint8Array,
  { letters, signs, firsts, lasts }: Parts,
  grams: GramFilter,
): boolean {
  if (grams.isIn(firsts) || grams.isIn(lasts) || grams.isIn(mapped(view, FOLDED_ROT47))) return true;
  const sources = letters.length < signs.length ? [signs, letters] : [signs];
  for (const source of sources)
    for (const stride of [2, 3, 4])
      for (let offset = 0; offset < stride; offset += 1)
        if (grams.isIn(source, { stride, offset })) return true;
  return false;
}

/** The rotations of the alphabet of `spreadReadings`. */
export function isRotatedIn(view: Uint8Array, grams: GramFilter): boolean {
  return view.length <= ROTATED_MAX_CHARACTERS && ROTATED.some((table) => grams.isIn(mapped(view, table)));
}
