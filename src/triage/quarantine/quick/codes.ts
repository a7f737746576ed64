import { HEX, HEX_GAP } from "./signs.ts";

const [ZERO, SMALL_X, X, BACKSLASH, PERCENT, EQUALS] = [0x30, 0x78, 0x58, 0x5c, 0x25, 0x3d];
const MIN_UNITS = 12;
const VALUE = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? 0 : value;
});

/** Of each stretch of hex, as `decodedStretches` cuts them, the digits' values. */
export function* hexDigits(text: Uint8Array): Generator<Uint8Array> {
  const digits = new Uint8Array(text.length);
  for (let at = 0; at < text.length;) {
    let [count, units, end] = [0, 0, at];
    for (;;) {
      let next = end + prefixLength(text, end);
      if (HEX[text[next] ?? 0] === 0 || HEX[text[next + 1] ?? 0] === 0) break;
      digits[count] = VALUE[text[next] as number] as number;
      digits[count + 1] = VALUE[text[next + 1] as number] as number;
      count += 2;
      units += 1;
      next += 2;
      for (let gap = 0; gap < 3 && HEX_GAP[text[next] ?? 0] === 1; gap += 1) next += 1;
      end = next;
    }
    if (units >= MIN_UNITS) {
      yield digits.subarray(0, count);
      at = end;
    } else at += 1;
  }
}

export function bytesOfHex(digits: Uint8Array, from: number): Uint8Array {
  const bytes = new Uint8Array((digits.length - from) >>> 1);
  for (let at = 0; at < bytes.length; at += 1)
    bytes[at] = ((digits[from + 2 * at] as number) << 4) | (digits[from + 2 * at + 1] as number);
  return bytes;
}

function prefixLength(text: Uint8Array, at: number): number {
  const sign = text[at];
  if (sign === PERCENT || sign === EQUALS) return 1;
  const isCross = text[at + 1] === SMALL_X || text[at + 1] === X;
  return isCross && (sign === ZERO || sign === BACKSLASH) ? 2 : 0;
}

/** What the groups of five signs of ascii85 stand for, from one of them on. */
export function bytesOfAscii85(signs: Uint8Array, from: number): Uint8Array {
  const groups = Math.floor((signs.length - from) / 5);
  const bytes = new Uint8Array(groups * 4);
  for (let group = 0, at = from; group < groups; group += 1, at += 5) {
    let value = 0;
    for (let sign = at; sign < at + 5; sign += 1) value = value * 85 + (signs[sign] as number) - 33;
    bytes[4 * group] = value >>> 24;
    bytes[4 * group + 1] = value >>> 16;
    bytes[4 * group + 2] = value >>> 8;
    bytes[4 * group + 3] = value;
  }
  return bytes;
}
