/** For each of the 256 masks, the positions of its bits. Used to gather those bytes out of eight. */
const PLACES: usize = memory.data(256 * 8, 16);

function fillPlaces(): void {
  for (let bits: u32 = 0; bits < 256; bits += 1) {
    let count: u32 = 0;
    for (let place: u32 = 0; place < 8; place += 1)
      if (((bits >>> place) & 1) != 0) store<u8>(PLACES + (bits << 3) + count++, place);
  }
}
fillPlaces();

/** Returns letters and digits in lower case; 0 for each other byte. */
export function foldedVector(bytes: v128): v128 {
  const small = v128.or(bytes, i8x16.splat(0x20));
  const letters = i8x16.lt_u(i8x16.sub(small, i8x16.splat(0x61)), i8x16.splat(26));
  const digits = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10));
  return v128.or(v128.and(small, letters), v128.and(bytes, digits));
}

/** Writes those of sixteen bytes whose bit is set to `to`, without gaps, and returns how many. Writes up to sixteen bytes. */
export function gather(bytes: v128, bits: u32, to: usize): usize {
  if (bits == 0xffff) {
    v128.store(to, bytes);
    return 16;
  }
  const low = bits & 0xff;
  const high = (bits >>> 8) & 0xff;
  v128.store64_lane(to, v128.swizzle(bytes, v128.load64_zero(PLACES + (low << 3))), 0);
  const count = <usize>popcnt(low);
  const eight = v128.shuffle<i8>(bytes, bytes, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15);
  v128.store64_lane(to + count, v128.swizzle(eight, v128.load64_zero(PLACES + (high << 3))), 0);
  return count + <usize>popcnt(high);
}

/** Returns a bit for each byte that is not 0. */
export function lettersIn(bytes: v128): u32 {
  return ~v128.bitmask<i8>(i8x16.eq(bytes, i8x16.splat(0))) & 0xffff;
}

/** Clears the bits of bytes beyond the end of a text, of which `left` bytes are left. */
export function within(bits: u32, left: usize): u32 {
  return left >= 16 ? bits : bits & ((1 << (<u32>left)) - 1);
}

/** Writes the folded letters and digits of a text to `to`, and returns how many. */
export function foldText(text: usize, length: usize, to: usize): usize {
  let count: usize = 0;
  for (let at: usize = 0; at < length; at += 16) {
    const letters = foldedVector(v128.load(text + at));
    count += gather(letters, within(lettersIn(letters), length - at), to + count);
  }
  return count;
}

/** Removes the zero bytes from letters, in place, and returns how many letters are left. Zero bytes must follow. */
export function compact(letters: usize, length: usize): usize {
  let count: usize = 0;
  for (let at: usize = 0; at < length; at += 16) {
    const bytes = v128.load(letters + at);
    count += gather(bytes, lettersIn(bytes), letters + count);
  }
  return count;
}

/** The same for the text after rot47. */
export function foldRot47(text: usize, length: usize, to: usize): usize {
  let count: usize = 0;
  for (let at: usize = 0; at < length; at += 16) {
    const bytes = v128.load(text + at);
    const place = i8x16.sub(bytes, i8x16.splat(33));
    const isSmall = i8x16.lt_u(place, i8x16.splat(47));
    const turned = i8x16.add(bytes, v128.bitselect(i8x16.splat(47), i8x16.splat(-47), isSmall));
    const letters = v128.and(foldedVector(turned), i8x16.lt_u(place, i8x16.splat(94)));
    count += gather(letters, within(lettersIn(letters), length - at), to + count);
  }
  return count;
}

/** Rotates folded letters through the alphabet by `by` places. */
export function rotateLetters(letters: usize, length: usize, by: i8, to: usize): void {
  for (let at: usize = 0; at < length; at += 16) {
    const bytes = v128.load(letters + at);
    const isLetter = i8x16.ge_u(bytes, i8x16.splat(0x61));
    const turned = i8x16.add(bytes, i8x16.splat(by));
    const isBeyond = i8x16.gt_u(turned, i8x16.splat(0x7a));
    const inside = i8x16.sub(turned, v128.and(isBeyond, i8x16.splat(26)));
    v128.store(to + at, v128.bitselect(inside, bytes, isLetter));
  }
}
