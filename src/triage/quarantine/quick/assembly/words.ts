import { isPlainIn } from "./decoded";
import { endText, take, mark, release } from "./memory";
import { ALNUM, ASCII85, BASE32_LARGE, BASE32_SMALL, BASE58, isOf } from "./byte-sets";
import { foundEnd, nextRun } from "./runs";

const MIN_ASCII85: usize = 14;
const MIN_BASE32: usize = 16;
const MIN_BASE58: usize = 14;
const MAX_BASE58: usize = 160;
const PLAIN_DIGITS: usize = 5;

/** Returns whether the characters of a word decode to what is searched for, from ascii85, base32 or base58. */
export function isInWord(text: usize, end: usize, least: usize, depth: i32): bool {
  for (let begin = nextRun(text, end, ASCII85, MIN_ASCII85); begin != 0;) {
    const stop = foundEnd;
    if (isInAscii85(begin, stop, least, depth)) return true;
    if (stop >= end) break;
    begin = nextRun(stop, end, ASCII85, MIN_ASCII85);
  }
  return (
    isInBase32Of(text, end, BASE32_LARGE, least, depth) ||
    isInBase32Of(text, end, BASE32_SMALL, least, depth) ||
    isInBase58(text, end, depth)
  );
}

/** Returns the 32-bit value of five characters. */
function valueOf(bytes: usize): u32 {
  let value: u32 = <u32>load<u8>(bytes) - 33;
  value = value * 85 + <u32>load<u8>(bytes + 1) - 33;
  value = value * 85 + <u32>load<u8>(bytes + 2) - 33;
  value = value * 85 + <u32>load<u8>(bytes + 3) - 33;
  return value * 85 + <u32>load<u8>(bytes + 4) - 33;
}

function isAsciiValue(bytes: usize): bool {
  return (valueOf(bytes) & 0x80808080) == 0;
}

/**
 * Returns a bit for each of sixteen characters that may begin a group whose first byte is ASCII. The values of the others are too
 * large for that, and too small to overflow.
 */
function mayBegin(bytes: usize): u32 {
  const values = i8x16.sub(v128.load(bytes), i8x16.splat(33));
  const isSmall = i8x16.le_u(values, i8x16.splat(41));
  return v128.bitmask<i8>(v128.or(isSmall, i8x16.ge_u(values, i8x16.splat(82))));
}

function isInAscii85(text: usize, end: usize, least: usize, depth: i32): bool {
  const groups = max<usize>(1, (least - 3) / 4);
  // For each grouping, where the previous text ended.
  const ends = take(20);
  memory.fill(ends, 0, 20);
  for (let at = text; at + 5 * groups <= end; at += 16) {
    let begins = mayBegin(at);
    if (begins != 0 && groups > 1) begins &= mayBegin(at + 5);
    while (begins != 0) {
      const place = at + <usize>ctz(begins);
      begins &= begins - 1;
      if (place + 5 * groups > end) break;
      if (!isAsciiValue(place)) continue;
      const done = ends + (((place - text) % 5) << 2);
      if (place < load<usize>(done)) continue;
      let stop = place + 5;
      while (stop + 5 <= end && isAsciiValue(stop)) stop += 5;
      store<usize>(done, stop);
      if (stop - place < 5 * groups) continue;
      // Includes the neighbouring groups, because parts of them may belong to the text.
      const from = place >= text + 5 ? place - 5 : place;
      if (isInGroups(from, stop + 5 <= end ? stop + 5 : stop, depth)) return true;
    }
  }
  return false;
}

function isInGroups(text: usize, end: usize, depth: i32): bool {
  const plain = take(end - text);
  let count: usize = 0;
  for (let at = text; at < end; at += 5) {
    store<u32>(plain + count, bswap(valueOf(at)));
    count += 4;
  }
  endText(plain, count);
  return isPlainIn(plain, count, depth);
}

export function isInBase32Of(text: usize, end: usize, set: u32, least: usize, depth: i32): bool {
  for (let begin = nextRun(text, end, set, MIN_BASE32); begin != 0;) {
    const stop = foundEnd;
    if (isInBase32(begin, stop, least, depth)) return true;
    if (stop >= end) break;
    begin = nextRun(stop, end, set, MIN_BASE32);
  }
  return false;
}

function isInBase32(text: usize, end: usize, least: usize, depth: i32): bool {
  const length = end - text;
  const digits = take(length);
  for (let at: usize = 0; at < length; at += 1) {
    const byte = <u32>load<u8>(text + at);
    store<u8>(digits + at, byte >= 0x41 ? (byte & 0x1f) - 1 : byte - 0x32 + 26);
  }
  // The minimum of whole groups that `least` bytes contain at any alignment; fewer than nine bytes may contain none.
  const groups: usize = least < 9 ? <usize>0 : (least - 4) / 5;
  for (let shift: usize = 0; shift < 8; shift += 1) {
    if (groups == 0) {
      if (isInFives(digits + shift, length - shift, depth)) return true;
      continue;
    }
    for (let at = shift; at + 8 <= length;) {
      let stop = at;
      while (stop + 8 <= length && isAsciiOctet(digits + stop)) stop += 8;
      if ((stop - at) / 8 >= groups) {
        // Includes the neighbouring groups, because parts of them may belong to the text.
        const from = at >= shift + 8 ? at - 8 : at;
        if (isInFives(digits + from, min(stop + 8, length) - from, depth)) return true;
      }
      at = stop + 8;
    }
  }
  return false;
}

/** Returns whether the highest bit of each of five bytes is 0. */
function isAsciiOctet(digits: usize): bool {
  return (load<u64>(digits) & 0x0004000108000210) == 0;
}

function isInFives(digits: usize, length: usize, depth: i32): bool {
  const plain = take(length);
  let value: u32 = 0;
  let bits = 0;
  let count: usize = 0;
  for (let at: usize = 0; at < length; at += 1) {
    value = ((value << 5) | load<u8>(digits + at)) & 0xffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    store<u8>(plain + count++, value >>> bits);
  }
  endText(plain, count);
  return isPlainIn(plain, count, depth);
}

/** Searches whole words of letters and digits. */
function isInBase58(text: usize, end: usize, depth: i32): bool {
  for (let begin = nextRun(text, end, BASE58, MIN_BASE58); begin != 0;) {
    const stop = foundEnd;
    const isWhole = (begin == text || !isOf(begin - 1, ALNUM)) && (stop == end || !isOf(stop, ALNUM));
    if (isWhole && stop - begin <= MAX_BASE58 && isInNumber(begin, stop, depth)) return true;
    if (stop >= end) break;
    begin = nextRun(stop, end, BASE58, MIN_BASE58);
  }
  return false;
}

/** The parts of the number, 32 bits each, the least significant first. */
const LIMBS: usize = memory.data(32 * 4, 16);

function isInNumber(text: usize, end: usize, depth: i32): bool {
  let limbs: usize = 0;
  for (let at = text; at < end;) {
    let carry: u64 = 0;
    let factor: u64 = 1;
    for (let digits: usize = 0; digits < PLAIN_DIGITS && at < end; digits += 1, at += 1) {
      carry = carry * 58 + <u64>base58Value(load<u8>(at));
      factor *= 58;
    }
    for (let limb: usize = 0; limb < limbs; limb += 1) {
      const value = <u64>load<u32>(LIMBS + limb * 4) * factor + carry;
      store<u32>(LIMBS + limb * 4, <u32>value);
      carry = value >>> 32;
    }
    if (carry != 0) store<u32>(LIMBS + 4 * limbs++, <u32>carry);
  }
  const plain = take(limbs * 4);
  for (let limb: usize = 0; limb < limbs; limb += 1)
    store<u32>(plain + 4 * limb, bswap(load<u32>(LIMBS + 4 * (limbs - 1 - limb))));
  // Leading zero bytes do not matter, because folding removes them.
  endText(plain, limbs * 4);
  return isPlainIn(plain, limbs * 4, depth);
}

function base58Value(byte: u8): u32 {
  if (byte < 0x41) return byte - 0x31;
  if (byte < 0x61) return <u32>byte - 0x41 + 9 - (byte > 0x49 ? 1 : 0) - (byte > 0x4f ? 1 : 0);
  return <u32>byte - 0x61 + 33 - (byte > 0x6c ? 1 : 0);
}
