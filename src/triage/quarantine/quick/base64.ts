import { asciiRuns } from "./ascii-runs.ts";
import { BASE64, BASE64_GAP } from "./signs.ts";

const [EQUALS, QUOTE, APOSTROPHE] = [0x3d, 0x22, 0x27];
const NONE = -1;
const MIN_PIECE = 4;
const MIN_STRETCH = 12;
const MAX_FURTHER_PIECES = 4_000;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * Stands between two stretches. In each grouping by four it decodes to a byte above 0x7f, and after padded base64 the byte before
 * that is 0x0f or 0x3f, so that no letter is added to the end of a word.
 */
const SEPARATOR = Buffer.from("____");

/** The signs of all stretches of base64 in a text, with separators after each. The stretches are those of `decodedStretches`. */
export function base64Signs(text: Uint8Array): Buffer {
  // A stretch of at least twelve signs has a separator of four.
  const signs = Buffer.allocUnsafe(Math.ceil((text.length * (MIN_STRETCH + SEPARATOR.length)) / MIN_STRETCH));
  let count = 0;
  for (let at = 0; at < text.length;) {
    if (BASE64[text[at] as number] === 0) {
      at += 1;
      continue;
    }
    const begun = count;
    const from = at;
    for (let pieces = 1; ; pieces += 1) {
      const piece = at;
      for (let sign = text[at] as number; BASE64[sign] === 1; sign = text[at] as number) {
        signs[count] = sign;
        count += 1;
        at += 1;
      }
      if (at - piece < MIN_PIECE || pieces > MAX_FURTHER_PIECES) break;
      const next = nextPiece(text, at);
      if (next === NONE) break;
      at = next;
    }
    if (at - from < MIN_STRETCH) count = begun;
    else count += SEPARATOR.copy(signs, count);
  }
  return signs.subarray(0, count);
}

/** Where the next piece begins: after `=`, a quotation mark, one to four blanks or separators, and another quotation mark. */
function nextPiece(text: Uint8Array, from: number): number {
  let at = from;
  if (text[at] === EQUALS) at += 1;
  if (at > from && text[at] === EQUALS) at += 1;
  if (text[at] === QUOTE || text[at] === APOSTROPHE) at += 1;
  const gap = at;
  while (at < gap + 4 && BASE64_GAP[text[at] ?? 0] === 1) at += 1;
  if (at === gap) return NONE;
  if (text[at] === QUOTE || text[at] === APOSTROPHE) at += 1;
  for (let sign = at; sign < at + MIN_PIECE; sign += 1)
    if (sign >= text.length || BASE64[text[sign] as number] === 0) return NONE;
  return at;
}

/**
 * For each sign: 1, 2 or 4 when it sets the highest bit of the first, second or third of the three bytes that four
 * signs stand for, being the first, second or third of them.
 */
const HIGH_BITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const sign = String.fromCharCode(code).replace("-", "+").replace("_", "/");
  const value = Math.max(0, ALPHABET.indexOf(sign));
  return ((value & 0x20) >>> 5) | ((value & 0x08) >>> 2) | ((value & 0x02) << 1);
});

/** Decodes stretches that stand for at least `least` bytes of ASCII in a row, for each way to group the signs by four. */
export function* asciiOfBase64(signs: Buffer, least: number): Generator<Uint8Array> {
  const quads = Math.max(1, Math.floor((least - 2) / 3));
  for (const shift of [0, 1, 2, 3]) {
    const isAscii = (quad: number): boolean => {
      const at = shift + 4 * quad;
      const [first, second, third] = [
        HIGH_BITS[signs[at] as number] as number,
        HIGH_BITS[signs[at + 1] as number] as number,
        HIGH_BITS[signs[at + 2] as number] as number,
      ];
      return ((first & 1) | (second & 2) | (third & 4)) === 0;
    };
    for (const [start, end] of asciiRuns(Math.floor((signs.length - shift) / 4), quads, isAscii)) {
      // With the quads around it, of which a part may belong to it.
      const from = shift + 4 * Math.max(0, start - 1);
      yield Buffer.from(signs.toString("latin1", from, shift + 4 * (end + 1)), "base64");
    }
  }
}
