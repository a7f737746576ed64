import { fromBits } from "../decoded-stretches.ts";
import { asciiRuns } from "./ascii-runs.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const VALUE = Uint8Array.from({ length: 256 }, (_, code) =>
  Math.max(0, ALPHABET.indexOf(String.fromCharCode(code).toLowerCase())),
);
/** Signs that stand for five bytes. */
const [GROUP, BITS] = [8, 5];

/** At least `least` bytes of ASCII in a row, of those that the signs of base32 stand for, grouped by eight from any of them on. */
export function* asciiOfBase32(signs: Uint8Array, least: number): Generator<Uint8Array> {
  // The whole groups between two that are cut; fewer bytes than nine need not hold one.
  const groups = Math.floor((least - 4) / 5);
  const digits = signs.map((sign) => VALUE[sign] as number);
  const bytesOf = (from: number, to = digits.length): Buffer =>
    Buffer.from(fromBits(digits.subarray(from, to), BITS), "latin1");
  for (let shift = 0; shift < GROUP; shift += 1) {
    if (groups === 0) {
      yield bytesOf(shift);
      continue;
    }
    const count = Math.floor((digits.length - shift) / GROUP);
    const bitOf = (at: number, bit: number): number => (digits[at] as number) & bit;
    const isAscii = (group: number): boolean => {
      const at = shift + GROUP * group;
      // The highest bit of each of the five bytes.
      const highest =
        bitOf(at, 0x10) |
        bitOf(at + 1, 0x02) |
        bitOf(at + 3, 0x08) |
        bitOf(at + 4, 0x01) |
        bitOf(at + 6, 0x04);
      return highest === 0;
    };
    for (const [start, end] of asciiRuns(count, groups, isAscii)) {
      // With the groups around it, of which a part may belong to it.
      yield bytesOf(shift + GROUP * Math.max(0, start - 1), shift + GROUP * (end + 1));
    }
  }
}
