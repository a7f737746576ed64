import { signTable } from "../../../github/index.ts";

/** The class of a byte in the search for secrets. `PLACEHOLDER` stands for characters above U+00FF. */
const table = (valueOf: (sign: string, code: number) => number): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, code) => valueOf(String.fromCharCode(code), code));

/** A letter or digit in lower case; 0: neither. */
export const FOLDED = table((sign, code) => (/[A-Za-z0-9]/.test(sign) ? code | (code < 64 ? 0 : 32) : 0));
/** The same of the sign that rot47 makes of it. */
export const FOLDED_ROT47 = table((_, code) =>
  code < 33 || code > 126 ? 0 : (FOLDED[33 + ((code - 33 + 47) % 94)] ?? 0),
);
/** The same after a rotation of the alphabet, for each number of places. */
export const ROTATED = Array.from({ length: 25 }, (_, index) =>
  FOLDED.map((letter) => (letter < 97 ? letter : 97 + ((letter - 97 + index + 1) % 26))),
);
export const BLANK = signTable(/\s/);
export const BASE64 = signTable(/[A-Za-z0-9+/_-]/);
/** Between two pieces of base64, after its `=` and quotation mark. */
export const BASE64_GAP = signTable(/[\s,>|]/);
export const HEX = signTable(/[0-9a-f]/i);
export const HEX_GAP = signTable(/[\s,;:-]/);
export const DIGIT = signTable(/[0-9]/);
/** Between two codes. */
export const NUMBER_GAP = signTable(/[\s,;]/);
export const NUMBERS = signTable(/[0-9\s,;]/);
export const BITS = signTable(/[01\s]/);
/** Characters of hex, numeric codes and bits, with their prefixes and separators. */
export const CODED = signTable(/[0-9a-fx\\%=\s,;:-]/i);
export const VISIBLE = signTable(/[!-~]/);
export const ASCII85 = signTable(/[!-u]/);
export const BASE32_LARGE = signTable(/[A-Z2-7]/);
export const BASE32_SMALL = signTable(/[a-z2-7]/);
export const BASE58 = signTable(/[1-9A-HJ-NP-Za-km-z]/);
/** What a decoded text must be made of to be read: it is printable, perhaps with zero bytes. */
export const TELLING = signTable(/[ -~\0]/);
/** Characters of any encoding. */
export const WRITTEN = signTable(/[ -~\s]/);

/** Characters that are neither a letter nor a space, and belong to no encoding. */
const PLACEHOLDER = 0x80;

/** The text with a byte for each UTF-16 unit, as the tables above tell it. */
export function signsOf(text: string): Uint8Array {
  // Only what is neither ASCII nor Latin-1 would lose something by this.
  if (!/[^\x00-\xff]/.test(text)) return Buffer.from(text, "latin1");
  const plain = text.replaceAll(/[^\x00-\xff]/g, (unit) => {
    const folded = unit.toLowerCase().charAt(0);
    if (folded <= "\x7f") return folded;
    return /\s/.test(unit) ? " " : String.fromCharCode(PLACEHOLDER);
  });
  return Buffer.from(plain, "latin1");
}
