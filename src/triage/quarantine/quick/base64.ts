import { BASE64, BASE64_GAP } from "./signs.ts";

const [EQUALS, QUOTE, APOSTROPHE] = [0x3d, 0x22, 0x27];
const MIN_PIECE = 4;
const MIN_STRETCH = 12;
const MAX_FURTHER_PIECES = 4_000;

/** The signs of all stretches of base64 in a text, one stretch after the other, and where each ends. */
export interface Base64Signs {
  signs: Buffer;
  ends: number[];
}

/** The stretches are those of `decodedStretches`: pieces of at least four signs, with little between them. */
export function base64Signs(text: Uint8Array): Base64Signs {
  const signs = Buffer.allocUnsafe(text.length);
  const ends: number[] = [];
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
      while (at < text.length && BASE64[text[at] as number] === 1) {
        signs[count] = text[at] as number;
        count += 1;
        at += 1;
      }
      if (at - piece < MIN_PIECE || pieces > MAX_FURTHER_PIECES) break;
      const next = nextPiece(text, at);
      if (next === null) break;
      at = next;
    }
    if (at - from < MIN_STRETCH) count = begun;
    else ends.push(count);
  }
  return { signs: signs.subarray(0, count), ends };
}

/** Where the next piece begins: after `=`, a quotation mark, one to four blanks or separators, and another quotation mark. */
function nextPiece(text: Uint8Array, from: number): number | null {
  let at = from;
  if (text[at] === EQUALS) at += 1;
  if (at > from && text[at] === EQUALS) at += 1;
  if (text[at] === QUOTE || text[at] === APOSTROPHE) at += 1;
  const gap = at;
  while (at < gap + 4 && BASE64_GAP[text[at] ?? 0] === 1) at += 1;
  if (at === gap) return null;
  if (text[at] === QUOTE || text[at] === APOSTROPHE) at += 1;
  for (let sign = at; sign < at + MIN_PIECE; sign += 1)
    if (sign >= text.length || BASE64[text[sign] as number] === 0) return null;
  return at;
}
