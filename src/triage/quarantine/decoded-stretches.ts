import type { Reading } from "./text-readings.ts";

interface Encoding {
  name: string;
  stretch: RegExp;
  decoded: (stretch: string) => string[];
}

/** Fewer characters decode to too little text to reveal a secret. */
const MIN_SIGNS = 12;

/** The encodings in which a secret may be written, and the stretches of text that may be such an encoding. */
export const ENCODINGS: readonly Encoding[] = [
  {
    name: "base64",
    // Matches encoded text that is split by line breaks, quotes or spaces, too.
    stretch: /[A-Za-z0-9+/_-]{4,}(?:={0,2}["']?[\s,>|]{1,4}["']?[A-Za-z0-9+/_-]{4,}){0,4000}/g,
    decoded: (stretch) => {
      const signs = stretch.replaceAll(/[^A-Za-z0-9+/_-]+/g, "");
      return [0, 1, 2, 3].map((at) => Buffer.from(signs.slice(at), "base64").toString("latin1"));
    },
  },
  {
    name: "hex",
    stretch: /(?:(?:0x|\\x|[%=])?[0-9a-f]{2}[\s,;:-]{0,3}){12,}/gi,
    decoded: (stretch) => {
      const signs = stretch.replaceAll(/0x|\\x|[^0-9a-f]/gi, "");
      return [0, 1].map((at) => Buffer.from(signs.slice(at), "hex").toString("latin1"));
    },
  },
  {
    name: "codes",
    stretch: /(?:\d{1,3}[\s,;]{1,3}){11,}\d{1,3}/g,
    decoded: (stretch) => [10, 8].map((radix) => fromCodes(stretch.match(/\d+/g) ?? [], radix)),
  },
  {
    name: "bits",
    stretch: /(?:[01]{8}\s{0,2}){11,}[01]{8}/g,
    decoded: (stretch) => [fromCodes(stretch.replaceAll(/\s+/g, "").match(/.{8}/g) ?? [], 2)],
  },
  {
    name: "base32",
    stretch: /[A-Z2-7]{16,}|[a-z2-7]{16,}/g,
    decoded: (stretch) => {
      const digits = Array.from(stretch.toUpperCase(), (sign) =>
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(sign),
      );
      return [0, 1, 2, 3, 4, 5, 6, 7].map((at) => fromBits(digits.slice(at), 5));
    },
  },
  {
    name: "base58",
    stretch: /(?<![A-Za-z0-9])[1-9A-HJ-NP-Za-km-z]{14,160}(?![A-Za-z0-9])/g,
    decoded: (stretch) => [fromBase58(stretch)],
  },
  {
    name: "ascii85",
    stretch: /[!-u]{14,}/g,
    decoded: (stretch) =>
      [0, 1, 2, 3, 4].map((at) => fromAscii85(stretch.replaceAll(/^<~|~>$/g, "").slice(at))),
  },
];

/** The limit on the decoded characters of one text at all levels: twelve readings of a window of a log. */
const MAX_DECODED_CHARACTERS = 48 * 1024 * 1024;
/** How many encodings may be nested. */
export const MAX_DEPTH = 3;

/**
 * Yields the encoded texts within a text, decoded, and the encoded texts within those, up to three levels deep. Every stretch of
 * an encoding's characters is decoded, wherever it occurs. The amount is bounded and shrinks with each level, because decoded
 * text is shorter than its encoding.
 */
export function* decodedStretches(text: string): Generator<Reading> {
  const left = { characters: MAX_DECODED_CHARACTERS };
  yield* decodedIn({ text, form: "" }, 1, left);
}

function* decodedIn(source: Reading, depth: number, left: { characters: number }): Generator<Reading> {
  for (const { name, stretch, decoded } of ENCODINGS) {
    const form = source.form === "" ? name : `${source.form} of ${name}`;
    for (const [found] of source.text.matchAll(stretch)) {
      if (found.length < MIN_SIGNS || left.characters <= 0) continue;
      for (const whole of decoded(found)) {
        for (const [plain] of whole.matchAll(ASCII_RUN)) {
          if (!isTelling(plain)) continue;
          left.characters -= plain.length;
          const reading = { text: plain, form };
          yield reading;
          if (depth < MAX_DEPTH) yield* decodedIn(reading, depth + 1, left);
        }
      }
    }
  }
}

/** Decoded text is read as ASCII: any other byte ends a text, because an encoded secret is contiguous in it. */
const ASCII_RUN = /[\0-\x7f]{8,}/g;

/**
 * Returns whether the text contains eight printable characters in a row, possibly with zero bytes between them, as a secret does.
 * Other binary data would not survive folding.
 */
function isTelling(plain: string): boolean {
  return /(?:[ -~]\0?){8}/.test(plain);
}

function fromCodes(codes: readonly string[], radix: number): string {
  const bytes = codes.map((code) => Number.parseInt(code, radix)).filter((byte) => byte < 256);
  return Buffer.from(bytes).toString("latin1");
}

/** Returns the bytes, as characters, that result from concatenating `width` bits of each digit. */
export function fromBits(digits: Iterable<number>, width: number): string {
  let [value, bits] = [0, 0];
  const bytes: number[] = [];
  for (const digit of digits) {
    value = ((value << width) | digit) & 0xffff;
    bits += width;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 0xff);
  }
  return Buffer.from(bytes).toString("latin1");
}

function fromBase58(text: string): string {
  const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  let number = 0n;
  for (const sign of text) number = number * 58n + BigInt(alphabet.indexOf(sign));
  const hex = number.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex").toString("latin1");
}

function fromAscii85(text: string): string {
  const bytes: number[] = [];
  for (let at = 0; at + 5 <= text.length; at += 5) {
    let value = 0;
    for (let sign = 0; sign < 5; sign += 1) value = value * 85 + text.charCodeAt(at + sign) - 33;
    bytes.push((value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
  }
  return Buffer.from(bytes).toString("latin1");
}
