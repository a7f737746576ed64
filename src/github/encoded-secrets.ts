import { BASE64_LEAST, BASE64_SIGNS, base64Stretches } from "./base64-stretches.ts";
import { rotated } from "./rotated.ts";
import { TELLING_SHAPES } from "./secret-shapes.ts";
import { hasShape, shapeMatches } from "./shape-matches.ts";
import { runsOf, signTable } from "./sign-runs.ts";
import type { Range } from "./undisguised.ts";

/** An encoding of bytes as printable characters, with the decoder for a stretch of text. */
interface Encoding {
  /** Every stretch contains at least `least` consecutive characters of `set`. */
  run: { set: Uint8Array; least: number };
  /** Matches stretches that are long enough to encode the shortest token. */
  stretch: RegExp;
  /** A faster way to find the matches of `stretch` in a text whose characters are bytes. */
  stretches?: (bytes: Uint8Array) => Range[];
  decoded: (stretch: string) => Buffer[];
}

const CODED = signTable(/[0-9a-fx\\%=\s,;:-]/i);

const ENCODINGS: readonly Encoding[] = [
  {
    run: { set: BASE64_SIGNS, least: BASE64_LEAST },
    stretch: /[A-Za-z0-9+/_-]{12,}(?:\r?\n[ \t>]{0,9}[A-Za-z0-9+/_-]{4,})*/g,
    stretches: base64Stretches,
    decoded: (stretch) =>
      shifts(stretch.replaceAll(/[\s>]+/g, ""), 4).map((text) => Buffer.from(text, "base64")),
  },
  {
    run: { set: CODED, least: 28 },
    // hex with a prefix before each byte, in one piece, or in groups
    stretch:
      /(?:(?:0x|\\x|[%=])[0-9a-f]{2}[\s,;]{0,3}){19,}(?:0x|\\x|[%=])[0-9a-f]{2}|[0-9a-f]{40,}|[0-9a-f]{2,16}(?:[\s:-]{1,2}[0-9a-f]{2,16}){3,}/gi,
    decoded: (stretch) =>
      shifts(stretch.replaceAll(/0x|[^0-9a-f]|(?<=\\)x/gi, ""), 2).map((text) => Buffer.from(text, "hex")),
  },
  {
    run: { set: CODED, least: 62 },
    stretch: /(?:\d{2,3}[\s,;]{1,3}){20,}\d{2,3}/g,
    decoded: (stretch) => [fromCodes(stretch, 10)],
  },
  {
    run: { set: CODED, least: 160 },
    stretch: /(?:[01]{8}\s{0,2}){19,}[01]{8}/g,
    decoded: (stretch) => [fromCodes(eights(stretch), 2)],
  },
  {
    run: { set: signTable(/[A-Z2-7]/), least: 32 },
    stretch: /[A-Z2-7]{32,}/g,
    decoded: (stretch) => shifts(stretch, 8).map(fromBase32),
  },
];
const MIN_STRETCH = 28;
/**
 * Credentials, and texts that are encoded twice, consist of these characters; the shortest credential is `xoxb-` with ten more.
 */
const [TEXT_SIGNS, MIN_TEXT] = [signTable(/[\s!-~]/), 15];
/** The maximum number of nested encodings. */
const MAX_DEPTH = 2;

/** Reversal and rot13 of a whole text. Each is tried only if its `hint` occurs in the text. */
const TURNED: readonly { hint: RegExp; turn: (text: string) => string; isBackwards: boolean }[] = [
  {
    hint: /_[a-z]hg|tap_buhtig|tna-ks|AI[KS]A|_mpn|tap(?:lg|_)|-[a-z]xox|azIA|_(?:evil|tset)_k|\.[\w-]{8,}Jye|-----YEK/,
    turn: (text) => Array.from({ length: text.length }, (_, at) => text[text.length - 1 - at]).join(""),
    isBackwards: true,
  },
  {
    hint: /tu[a-z]_|tvguho_cng_|fx-|NXVN|NFVN|acz_|tycng-|kbk[a-z]-|NVmn|[efc]x_(?:yvir|grfg)_|\.rlW|-----ORTVA/,
    turn: (text) => rotated(text, 13),
    isBackwards: false,
  },
];

/** Returns the ranges of tokens written in base64, hex, base32, character codes, rot13 or backwards (S18). */
export function encodedSecrets(text: string): Range[] {
  return [...inStretches(text, 1), ...turned(text)];
}

function inStretches(text: string, depth: number): Range[] {
  const bytes = Buffer.from(text, "latin1");
  const areBytes = !/[^\x00-\xff]/.test(text);
  return ENCODINGS.filter(({ run }) => runsOf(bytes, run.set, run.least).length > 0).flatMap(
    ({ stretch, stretches, decoded }) => {
      const all =
        areBytes && stretches !== undefined ? stretches(bytes) : Array.from(text.matchAll(stretch), rangeOf);
      return all.filter(
        ([start, end]) =>
          end - start >= MIN_STRETCH && decoded(text.slice(start, end)).some((plain) => holds(plain, depth)),
      );
    },
  );
}

function holds(bytes: Buffer, depth: number): boolean {
  if (runsOf(bytes, TEXT_SIGNS, MIN_TEXT).length === 0) return false;
  // Decoded text is read as ASCII, so U+00A0, the only white space of Latin-1 above ASCII, is replaced and separates nothing.
  const plain = bytes.toString("latin1").replaceAll("\xa0", "\xff");
  const isSeen = hasShape(TELLING_SHAPES, plain);
  return (
    isSeen || turned(plain).length > 0 || (depth < MAX_DEPTH && inStretches(plain, depth + 1).length > 0)
  );
}

function turned(text: string): Range[] {
  return TURNED.filter(({ hint }) => hint.test(text)).flatMap(({ turn, isBackwards }) => {
    const other = turn(text);
    return shapeMatches(TELLING_SHAPES, other)
      .map(rangeOf)
      .map(([start, end]): Range => (isBackwards ? [text.length - end, text.length - start] : [start, end]));
  });
}

function rangeOf({ 0: found, index }: { 0: string; index: number }): Range {
  return [index, index + found.length];
}

function shifts(text: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => text.slice(at));
}

function eights(bits: string): string {
  return bits.replaceAll(/\s+/g, "").replaceAll(/.{8}/g, "$& ");
}

function fromCodes(codes: string, radix: number): Buffer {
  const bytes = (codes.match(/\d+/g) ?? []).map((code) => Number.parseInt(code, radix));
  return Buffer.from(bytes.filter((byte) => byte < 256));
}

function fromBase32(text: string): Buffer {
  let [value, bits] = [0, 0];
  const bytes: number[] = [];
  for (const letter of text) {
    value = ((value << 5) | "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 0xff);
  }
  return Buffer.from(bytes);
}
