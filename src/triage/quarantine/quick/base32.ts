import { asciiRuns } from "./ascii-runs.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const VALUE = Uint8Array.from({ length: 256 }, (_, code) =>
  Math.max(0, ALPHABET.indexOf(String.fromCharCode(code).toLowerCase())),
);
/** Signs that stand for five bytes. */
const GROUP = 8;

/** At least `least` bytes of ASCII in a row, of those that the signs of base32 stand for, grouped by eight from any of them on. */
export function* asciiOfBase32(signs: Uint8Array, least: number): Generator<Uint8Array> {
  // The whole groups between two that are cut.
  const groups = Math.floor((least - 4) / 5);
  const valueAt = (at: number): number => VALUE[signs[at] as number] as number;
  for (let shift = 0; shift < GROUP; shift += 1) {
    if (groups === 0) {
      yield bytesOf(signs.subarray(shift));
      continue;
    }
    const count = Math.floor((signs.length - shift) / GROUP);
    // The highest bit of each of the five bytes.
    const isAscii = (group: number): boolean => {
      const at = shift + GROUP * group;
      return (
        ((valueAt(at) & 0x10) |
          (valueAt(at + 1) & 0x02) |
          (valueAt(at + 3) & 0x08) |
          (valueAt(at + 4) & 0x01) |
          (valueAt(at + 6) & 0x04)) ===
        0
      );
    };
    for (const [start, end] of asciiRuns(count, groups, isAscii)) {
      // With the groups around it, of which a part may belong to it.
      const from = shift + GROUP * Math.max(0, start - 1);
      yield bytesOf(signs.subarray(from, shift + GROUP * (end + 1)));
    }
  }
}

function bytesOf(signs: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.floor((signs.length * 5) / 8));
  let [value, bits, count] = [0, 0, 0];
  for (const sign of signs) {
    value = ((value << 5) | (VALUE[sign] as number)) & 0xffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[count] = value >>> bits;
    count += 1;
  }
  return bytes;
}
