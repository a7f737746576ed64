import { BLANK, FOLDED } from "./signs.ts";

/** What the readings of a text are made of. */
export interface Parts {
  /** The folded letters and digits. */
  letters: Uint8Array;
  /** The same with 0 for each other sign but blanks. */
  signs: Uint8Array;
  /** The folded first and last sign of each word. */
  firsts: Uint8Array;
  lasts: Uint8Array;
}

/** One pass over a text, without a branch that depends on it. */
export function partsOf(text: Uint8Array): Parts {
  const [letters, signs] = [Buffer.allocUnsafe(text.length), Buffer.allocUnsafe(text.length)];
  const [firsts, lasts] = [Buffer.allocUnsafe(text.length + 1), Buffer.allocUnsafe(text.length + 1)];
  let [letterCount, signCount, firstCount, lastCount] = [0, 0, 0, 0];
  let [before, wasBlank] = [0, 1];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] as number;
    const letter = FOLDED[sign] as number;
    const isBlank = BLANK[sign] as number;
    letters[letterCount] = letter;
    letterCount += (letter + 0xff) >>> 8;
    signs[signCount] = letter;
    signCount += 1 - isBlank;
    firsts[firstCount] = letter;
    firstCount += wasBlank & (1 - isBlank);
    lasts[lastCount] = before;
    lastCount += (1 - wasBlank) & isBlank;
    [before, wasBlank] = [letter, isBlank];
  }
  lasts[lastCount] = before;
  return {
    letters: letters.subarray(0, letterCount),
    signs: signs.subarray(0, signCount),
    firsts: firsts.subarray(0, firstCount),
    lasts: lasts.subarray(0, lastCount + 1 - wasBlank),
  };
}

/** What the table makes of each sign, without those that it makes 0. */
export function mapped(text: Uint8Array, table: Uint8Array): Buffer {
  const signs = Buffer.allocUnsafe(text.length);
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = table[text[at] as number] as number;
    signs[count] = sign;
    count += (sign + 0xff) >>> 8;
  }
  return signs.subarray(0, count);
}
