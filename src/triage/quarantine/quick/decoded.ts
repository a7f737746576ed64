import { runsOf } from "../../../github/index.ts";
import { ENCODINGS, MAX_DEPTH } from "../decoded-stretches.ts";
import { base64Signs } from "./base64.ts";
import { bytesOfAscii85, bytesOfHex, hexDigits } from "./codes.ts";
import type { GramFilter } from "./gram-filter.ts";
import { ASCII85, BASE32_LARGE, BASE32_SMALL, BASE58, CODED, VISIBLE, WRITTEN } from "./signs.ts";

/** Shorter ones hold nothing that `decodedStretches` would decode. */
const [MIN_STRETCH, MIN_CODED, MIN_VISIBLE] = [12, 23, 14];
const BASE32 = ENCODINGS.filter(({ name }) => name === "base32");
const BASE58_STRETCHES = ENCODINGS.filter(({ name }) => name === "base58");
const IN_NUMBERS = ENCODINGS.filter(({ name }) => ["codes", "bits"].includes(name));

/** Whether a reading of `decodedStretches` may hold one of the stretches: all that it decodes is decoded here, and at times more. */
export function isDecodedIn(text: Uint8Array, grams: GramFilter, depth = 1): boolean {
  const isWithin = (run: Uint8Array): boolean => isDecodedIn(run, grams, depth + 1);
  const isIn = (plain: Uint8Array): boolean =>
    grams.has(plain) ||
    (depth < MAX_DEPTH &&
      runsOf(plain, WRITTEN, MIN_STRETCH).some(([start, end]) => isWithin(plain.subarray(start, end))));
  return (
    inBase64(text, grams, depth < MAX_DEPTH ? isWithin : null) || inCodes(text, isIn) || inWords(text, isIn)
  );
}

type Search = (plain: Uint8Array) => boolean;

/** All stretches are decoded as one, which is quick; what they hold in their turn is looked for in each by itself. */
function inBase64(text: Uint8Array, grams: GramFilter, isWithin: Search | null): boolean {
  const { signs, ends } = base64Signs(text);
  const whole = signs.toString("latin1");
  for (const shift of [0, 1, 2, 3]) {
    const plain = Buffer.from(whole.slice(shift), "base64");
    if (grams.has(plain)) return true;
    if (isWithin === null) continue;
    let [index, begin] = [0, 0];
    for (const [start, end] of runsOf(plain, WRITTEN, MIN_STRETCH)) {
      // Of every stretch that the run lies in, its part of the run.
      for (; index < ends.length; index += 1) {
        const stretchEnd = Math.floor((((ends[index] as number) - shift) * 3) / 4);
        if (stretchEnd > start) {
          const from = Math.max(start, begin);
          const to = Math.min(end, stretchEnd);
          if (to - from >= MIN_STRETCH && isWithin(plain.subarray(from, to))) return true;
          if (stretchEnd >= end) break;
        }
        begin = 3 * Math.ceil(((ends[index] as number) - shift) / 4);
      }
    }
  }
  return false;
}

function inCodes(text: Uint8Array, isIn: Search): boolean {
  return runsOf(text, CODED, MIN_CODED).some(([start, end]) => {
    const run = text.subarray(start, end);
    for (const digits of hexDigits(run))
      if (isIn(bytesOfHex(digits, 0)) || isIn(bytesOfHex(digits, 1))) return true;
    return inStretches(run, IN_NUMBERS, isIn);
  });
}

function inWords(text: Uint8Array, isIn: Search): boolean {
  return runsOf(text, VISIBLE, MIN_VISIBLE).some(([start, end]) => inWord(text.subarray(start, end), isIn));
}

function inWord(word: Uint8Array, isIn: Search): boolean {
  for (const [start, end] of runsOf(word, ASCII85, MIN_VISIBLE)) {
    const signs = word.subarray(start, end);
    for (const from of [0, 1, 2, 3, 4]) if (isIn(bytesOfAscii85(signs, from))) return true;
  }
  const mayBeBase32 = [BASE32_LARGE, BASE32_SMALL].some((set) => runsOf(word, set, 16).length > 0);
  if (mayBeBase32 && inStretches(word, BASE32, isIn)) return true;
  return runsOf(word, BASE58, MIN_VISIBLE).length > 0 && inStretches(word, BASE58_STRETCHES, isIn);
}

function inStretches(run: Uint8Array, encodings: typeof ENCODINGS, isIn: Search): boolean {
  const text = Buffer.from(run).toString("latin1");
  return encodings.some(({ stretch, decoded }) =>
    [...text.matchAll(stretch)].some(
      ([found]) =>
        found.length >= MIN_STRETCH && decoded(found).some((plain) => isIn(Buffer.from(plain, "latin1"))),
    ),
  );
}
