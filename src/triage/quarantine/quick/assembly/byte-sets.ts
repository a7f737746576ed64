/** The sets of characters, each a bit of `SETS`. */
export const BLANK: u32 = 1 << 0;
export const BASE64: u32 = 1 << 1;
export const BASE64_GAP: u32 = 1 << 2;
export const HEX: u32 = 1 << 3;
export const HEX_GAP: u32 = 1 << 4;
export const DIGIT: u32 = 1 << 5;
export const NUMBER_GAP: u32 = 1 << 6;
export const NUMBERS: u32 = 1 << 7;
export const BITS: u32 = 1 << 8;
/** The characters of hex, numeric codes and bits, with their prefixes and separators. */
export const CODED: u32 = 1 << 9;
export const VISIBLE: u32 = 1 << 10;
export const ASCII85: u32 = 1 << 11;
export const BASE32_LARGE: u32 = 1 << 12;
export const BASE32_SMALL: u32 = 1 << 13;
export const BASE58: u32 = 1 << 14;
/** The bytes that a decoded text may contain: printable ones and zero bytes. */
export const TELLING: u32 = 1 << 15;
/** The characters of any encoding. */
export const WRITTEN: u32 = 1 << 16;
export const ALNUM: u32 = 1 << 17;
export const WORD: u32 = 1 << 18;
/** The characters of a token's value. */
export const TOKEN: u32 = 1 << 19;
/** Letters, digits, `_` and `-`. */
export const LETTERS: u32 = 1 << 20;
export const DOTTED: u32 = 1 << 21;
export const SMALL_HEX: u32 = 1 << 22;
/** Upper-case letters and digits. */
export const LARGE: u32 = 1 << 23;
/** Every credential contains at least one of these bytes, or one of `LETTER_PIVOT` after one of `BEFORE_PIVOT`. */
export const PIVOT: u32 = 1 << 24;
/** The characters that a decoded text with a token may consist of, including white space. */
export const READABLE: u32 = 1 << 25;
/** Characters that cannot begin a disguise. */
export const UNDISGUISED: u32 = 1 << 26;
export const LETTER_PIVOT: u32 = 1 << 27;
export const BEFORE_PIVOT: u32 = 1 << 28;
const COUNT: u32 = 29;
/** Bytes above ASCII that cannot begin a disguise. */
export const INERT: u32 = 1 << 29;

/** For each byte, the sets that contain it. */
const SETS: usize = memory.data(256 * 4, 16);
/** For each set and low half of a byte, a bit for each high half. */
const HALVES: usize = memory.data(32 * 16, 16);
/** For each high half, its bit. */
const HIGH: usize = memory.data(16, 16);
/** For each byte, the letter in lower case, or the digit; 0: neither. */
const FOLDED: usize = memory.data(256, 16);

export function setsOf(byte: u32): u32 {
  return load<u32>(SETS + (byte << 2));
}

export function isOf(text: usize, set: u32): bool {
  return (setsOf(load<u8>(text)) & set) != 0;
}

export function folded(byte: u32): u32 {
  return load<u8>(FOLDED + byte);
}

/** Returns a bit for each of sixteen bytes, set if the byte is in the set. */
export function membersOf(bytes: v128, set: u32): u32 {
  const halves = v128.load(HALVES + (ctz(set) << 4));
  const low = v128.swizzle(halves, v128.and(bytes, i8x16.splat(0x0f)));
  const high = v128.swizzle(v128.load(HIGH), i8x16.shr_u(bytes, 4));
  return ~v128.bitmask<i8>(i8x16.eq(v128.and(low, high), i8x16.splat(0))) & 0xffff;
}

function put(from: u32, to: u32, sets: u32): void {
  for (let byte = from; byte <= to; byte += 1)
    store<u32>(SETS + (byte << 2), load<u32>(SETS + (byte << 2)) | sets);
}

function putEach(characters: string, sets: u32): void {
  for (let at = 0; at < characters.length; at += 1) {
    const byte = characters.charCodeAt(at);
    put(byte, byte, sets);
  }
}

function leaveOut(characters: string, set: u32): void {
  for (let at = 0; at < characters.length; at += 1) {
    const entry = SETS + (characters.charCodeAt(at) << 2);
    store<u32>(entry, load<u32>(entry) & ~set);
  }
}

function fill(): void {
  const letters = BASE64 | BASE58 | ALNUM | WORD | TOKEN | LETTERS | DOTTED;
  put(0x41, 0x5a, letters | BASE32_LARGE | LARGE);
  put(0x61, 0x7a, letters | BASE32_SMALL);
  put(0x30, 0x39, letters | HEX | DIGIT | NUMBERS | CODED | LARGE | SMALL_HEX);
  put(0x32, 0x37, BASE32_LARGE | BASE32_SMALL);
  put(0x41, 0x46, HEX | CODED);
  put(0x61, 0x66, HEX | CODED | SMALL_HEX);
  putEach("01", BITS);
  putEach("xX\\%=", CODED);
  putEach("+/_-", BASE64);
  putEach("_", WORD | TOKEN | LETTERS | DOTTED);
  putEach("-", LETTERS | DOTTED);
  putEach(".", DOTTED);
  putEach("_-.:=", PIVOT);
  putEach("IpTV", LETTER_PIVOT);
  putEach("AFKNSXaz", BEFORE_PIVOT);
  putEach("+/.~=-", TOKEN);
  putEach("\t\n\v\f\r ", BLANK | BASE64_GAP | HEX_GAP | NUMBER_GAP | NUMBERS | BITS | CODED | WRITTEN);
  putEach(",", BASE64_GAP | HEX_GAP | NUMBER_GAP | NUMBERS | CODED);
  putEach(">|", BASE64_GAP);
  putEach(";", HEX_GAP | NUMBER_GAP | NUMBERS | CODED);
  putEach(":-", HEX_GAP | CODED);
  put(0x21, 0x7e, VISIBLE | WRITTEN | READABLE);
  put(0x20, 0x7e, UNDISGUISED);
  putEach("\t\n\r", UNDISGUISED);
  putEach("\t\n\v\f\r ", READABLE);
  put(0x21, 0x75, ASCII85);
  put(0x20, 0x7e, TELLING);
  put(0, 0, TELLING);
  put(0x80, 0xff, INERT);
  leaveOut("\u0090\u0098\u009b\u009d\u009e\u009f\u00ad\u00b2\u00b3\u00b9", INERT);
  for (let byte: u32 = 0xc0; byte <= 0xff; byte += 1) store<u32>(SETS + (byte << 2), setsOf(byte) & ~INERT);
  leaveOut("0OIl", BASE58);
  leaveOut("%&\\", UNDISGUISED);
  for (let half: u32 = 0; half < 8; half += 1) store<u8>(HIGH + half, 1 << (<u8>half));
  for (let byte: u32 = 0; byte < 0x80; byte += 1) {
    const sets = setsOf(byte);
    const half = <u8>(byte >>> 4);
    for (let set: u32 = 0; set < COUNT; set += 1) {
      const at = HALVES + (set << 4) + (byte & 0x0f);
      if (((sets >>> set) & 1) != 0) store<u8>(at, load<u8>(at) | (1 << half));
    }
    if ((sets & ALNUM) != 0) store<u8>(FOLDED + byte, byte < 0x40 ? byte : byte | 0x20);
  }
}
fill();
