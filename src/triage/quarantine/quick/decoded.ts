import { runsOf } from "../../../github/index.ts";
import { ENCODINGS, MAX_DEPTH } from "../decoded-stretches.ts";
import { asciiOfBase32 } from "./base32.ts";
import { asciiOfBase64, base64Signs } from "./base64.ts";
import { asciiOfAscii85, asciiOfHex, hasNumberList, hexDigits } from "./codes.ts";
import type { GramFilter } from "./gram-filter.ts";
import { mapped } from "./parts.ts";
import {
  ASCII85,
  BASE32_LARGE,
  BASE32_SMALL,
  BASE58,
  BITS,
  CODED,
  FOLDED,
  NUMBERS,
  TELLING,
  VISIBLE,
  WRITTEN,
} from "./signs.ts";

/** Shorter ones hold nothing that `decodedStretches` would decode. */
const [MIN_STRETCH, MIN_CODED, MIN_VISIBLE, MIN_BITS] = [12, 23, 14, 96];
const [MIN_BASE32, MIN_BASE58, MAX_BASE58] = [16, 14, 160];
/** Printable signs in what `decodedStretches` reads, with or without a zero byte between them. */
const MIN_TELLING = 8;
const encodings = (...names: string[]): typeof ENCODINGS =>
  ENCODINGS.filter(({ name }) => names.includes(name));
const [CODES, BIT_CODES, BASE58S] = [encodings("codes"), encodings("bits"), encodings("base58")];

/** Whether a reading of `decodedStretches` may hold one of the stretches: all that may be ASCII is decoded here, and at times more. */
export function isDecodedIn(text: Uint8Array, grams: GramFilter, depth = 1): boolean {
  /** The least size of a decoded text: fewer bytes hold neither a stretch nor a further encoding. */
  const least = Math.min(MIN_STRETCH, grams.shortest);
  const isIn = (plain: Uint8Array): boolean =>
    runsOf(plain, TELLING, MIN_TELLING).length > 0 &&
    (grams.isIn(mapped(plain, FOLDED)) ||
      (depth < MAX_DEPTH &&
        runsOf(plain, WRITTEN, MIN_STRETCH).some(([start, end]) =>
          isDecodedIn(plain.subarray(start, end), grams, depth + 1),
        )));
  const search: Search = { least, isIn };
  return (
    isAnyIn(asciiOfBase64(base64Signs(text), least), search) || inCodes(text, search) || inWords(text, search)
  );
}

interface Search {
  least: number;
  isIn: (plain: Uint8Array) => boolean;
}

function isAnyIn(plains: Iterable<Uint8Array>, { isIn }: Search): boolean {
  for (const plain of plains) if (isIn(plain)) return true;
  return false;
}

function inCodes(text: Uint8Array, search: Search): boolean {
  return runsOf(text, CODED, MIN_CODED).some(([start, end]) => {
    const run = text.subarray(start, end);
    for (const digits of hexDigits(run)) if (isAnyIn(asciiOfHex(digits, search.least), search)) return true;
    for (const [from, to] of runsOf(run, NUMBERS, MIN_CODED)) {
      const numbers = run.subarray(from, to);
      if (hasNumberList(numbers) && inStretches(numbers, CODES, search)) return true;
    }
    return runsOf(run, BITS, MIN_BITS).length > 0 && inStretches(run, BIT_CODES, search);
  });
}

function inWords(text: Uint8Array, search: Search): boolean {
  return runsOf(text, VISIBLE, MIN_VISIBLE).some(([start, end]) => inWord(text.subarray(start, end), search));
}

function inWord(word: Uint8Array, search: Search): boolean {
  for (const [start, end] of runsOf(word, ASCII85, MIN_VISIBLE))
    if (isAnyIn(asciiOfAscii85(word.subarray(start, end), search.least), search)) return true;
  for (const set of [BASE32_LARGE, BASE32_SMALL])
    for (const [start, end] of runsOf(word, set, MIN_BASE32))
      if (isAnyIn(asciiOfBase32(word.subarray(start, end), search.least), search)) return true;
  return hasBase58(word) && inStretches(word, BASE58S, search);
}

/** A whole word of letters and digits. */
function hasBase58(text: Uint8Array): boolean {
  return runsOf(text, BASE58, MIN_BASE58).some(
    ([start, end]) =>
      end - start <= MAX_BASE58 && FOLDED[text[start - 1] ?? 0] === 0 && FOLDED[text[end] ?? 0] === 0,
  );
}

function inStretches(run: Uint8Array, known: typeof ENCODINGS, { isIn }: Search): boolean {
  const text = Buffer.from(run.buffer, run.byteOffset, run.length).toString("latin1");
  return known.some(({ stretch, decoded }) =>
    [...text.matchAll(stretch)].some(
      ([found]) =>
        found.length >= MIN_STRETCH && decoded(found).some((plain) => isIn(Buffer.from(plain, "latin1"))),
    ),
  );
}
