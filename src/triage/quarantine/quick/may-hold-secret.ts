import { plainText } from "../../../github/index.ts";
import { lineReadings, normalised, SPREAD_MAX_CHARACTERS } from "../text-readings.ts";
import { MAX_UNESCAPES, unescaped } from "../unescaped.ts";
import { isDecodedIn } from "./decoded.ts";
import type { GramFilter } from "./gram-filter.ts";
import { isInLineEnds } from "./lines.ts";
import { mapped, type Parts, partsOf } from "./parts.ts";
import { FOLDED, signsOf } from "./signs.ts";
import { isRotatedIn, isSpreadIn } from "./spread.ts";
import { quickView } from "./view.ts";

const ESC = 0x1b;

/** `all` filters the text itself, `long` its decoded readings. */
export interface QuickGrams {
  all: GramFilter;
  long: GramFilter;
}

/**
 * Whether a search of the text (its characters are bytes) may find a secret: false only when every reading of it is without one,
 * and the search is not needed.
 */
export function mayHoldSecret(bytes: Uint8Array, { all, long }: QuickGrams): boolean {
  const quick = quickView(bytes);
  const view = quick ?? slowView(bytes);
  const parts = partsOf(view);
  // Without escape sequences both have the same letters.
  const isOtherwise = quick === null || bytes.includes(ESC);
  if (all.isIn(parts.letters) || (isOtherwise && all.isIn(mapped(bytes, FOLDED)))) return true;
  const last = unescapedView(view, all);
  if (last === null) return true;
  return isReadIn(last, last === view ? parts : partsOf(last), long) || isDecodedIn(last, long);
}

function slowView(bytes: Uint8Array): Uint8Array {
  return signsOf(normalised(plainText(latin1(bytes).replaceAll(/[^\x08]\x08/g, ""))));
}

/** null: found on the way. */
function unescapedView(view: Uint8Array, all: GramFilter): Uint8Array | null {
  const escapes = Buffer.from(view.buffer, view.byteOffset, view.length);
  if (!["%", "&", "\\", "0x", "0X"].some((begin) => escapes.includes(begin))) return view;
  let text = latin1(view);
  for (let pass = 1; pass <= MAX_UNESCAPES + 1; pass += 1) {
    const next = unescaped(text);
    if (next === text) break;
    text = next;
    if (all.isIn(mapped(signsOf(text), FOLDED))) return null;
  }
  return signsOf(text);
}

function isReadIn(view: Uint8Array, parts: Parts, long: GramFilter): boolean {
  if (view.length > SPREAD_MAX_CHARACTERS) return false;
  const inLineEnds = isInLineEnds(view, long);
  if (inLineEnds === null) {
    for (const { text } of lineReadings(latin1(view)))
      if (long.isIn(mapped(signsOf(text), FOLDED))) return true;
  }
  return inLineEnds === true || isSpreadIn(view, parts, long) || isRotatedIn(view, long);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
