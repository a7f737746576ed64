import { asciiRuns } from "./ascii-runs.ts";
import { DIGIT, HEX, HEX_GAP, NUMBER_GAP } from "./signs.ts";

const [ZERO, SMALL_X, X, BACKSLASH, PERCENT, EQUALS] = [0x30, 0x78, 0x58, 0x5c, 0x25, 0x3d];
const MIN_UNITS = 12;
const MIN_NUMBERS = 12;
const VALUE = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? 0 : value;
});

/** The digit values of each stretch of hex, cut as `decodedStretches` cuts them. */
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

/** At least `least` bytes of ASCII in a row, of those that the digits stand for in either grouping by two. */
export function* asciiOfHex(digits: Uint8Array, least: number): Generator<Uint8Array> {
  for (const shift of [0, 1]) {
    const count = (digits.length - shift) >>> 1;
    const isAscii = (byte: number): boolean => (digits[shift + 2 * byte] as number) < 8;
    for (const [start, end] of asciiRuns(count, least, isAscii)) {
      const bytes = new Uint8Array(end - start);
      for (let byte = 0, at = shift + 2 * start; byte < bytes.length; byte += 1, at += 2)
        bytes[byte] = ((digits[at] as number) << 4) | (digits[at + 1] as number);
      yield bytes;
    }
  }
}

function prefixLength(text: Uint8Array, at: number): number {
  const sign = text[at];
  if (sign === PERCENT || sign === EQUALS) return 1;
  const isCross = text[at + 1] === SMALL_X || text[at + 1] === X;
  return isCross && (sign === ZERO || sign === BACKSLASH) ? 2 : 0;
}

/** At least `least` bytes of ASCII in a row, of those that the signs of ascii85 stand for, grouped by five from any of them on. */
export function* asciiOfAscii85(signs: Uint8Array, least: number): Generator<Uint8Array> {
  const groups = Math.max(1, Math.floor((least - 3) / 4));
  for (let shift = 0; shift < 5; shift += 1) {
    const count = Math.floor((signs.length - shift) / 5);
    if (count < groups) break;
    const isAscii = (group: number): boolean => (valueOf(signs, shift + 5 * group) & 0x80808080) === 0;
    for (const [start, end] of asciiRuns(count, groups, isAscii)) {
      // With the groups around it, of which a part may belong to it.
      const [from, to] = [Math.max(0, start - 1), Math.min(count, end + 1)];
      const bytes = Buffer.allocUnsafe(4 * (to - from));
      for (let group = from; group < to; group += 1)
        bytes.writeUInt32BE(valueOf(signs, shift + 5 * group) >>> 0, 4 * (group - from));
      yield bytes;
    }
  }
}

/** The value of five signs, in 32 bits. */
function valueOf(signs: Uint8Array, from: number): number {
  let value = 0;
  for (let sign = from; sign < from + 5; sign += 1) value = value * 85 + (signs[sign] as number) - 33;
  return value;
}

/** Whether twelve numbers of up to three digits stand side by side; the first may be the end of a longer one, the last its beginning. */
export function hasNumberList(text: Uint8Array): boolean {
  let before = 0;
  for (let at = 0; at < text.length;) {
    const begin = at;
    while (DIGIT[text[at] ?? 0] === 1) at += 1;
    const [digits, end] = [at - begin, at];
    if (digits > 0 && before + 1 >= MIN_NUMBERS) return true;
    while (NUMBER_GAP[text[at] ?? 0] === 1) at += 1;
    const isFollowed = digits > 0 && at > end && at - end <= 3;
    if (isFollowed) before = digits <= 3 ? before + 1 : 1;
    else before = 0;
    if (at === begin) at += 1;
  }
  return false;
}
