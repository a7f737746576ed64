import { rotated } from "../../github/index.ts";

/** The forms in which a secret can be written; a search for its plain characters misses all but the first (S8). */
export const canaryForms = [
  "plain",
  "reversed",
  "rot13",
  "base64",
  "base64 of base64",
  "base64, reversed",
  "base32",
  "hex",
  "hex, reversed",
  "decimal codes",
  "octal codes",
  "binary codes",
  "bytes of its base64",
] as const;
export type CanaryForm = (typeof canaryForms)[number];

/** A piece of folded text that reveals a secret. */
export interface CanaryGram {
  text: string;
  form: CanaryForm;
  /** Short pieces are searched only in the text itself, not in readings of it. */
  isShort: boolean;
}

/** Fewer letters and digits cannot be distinguished from ordinary text. */
export const CANARY_MIN_LENGTH = 8;
/** A piece of this length counts as the secret, whatever is cut off before and after it (prefix-cut). */
const GRAM_LENGTH = 14;
const SHORT_GRAM_LENGTH = 8;

/**
 * Returns only the letters and digits, in lower case. They are the same when a text is split over lines, quoted, written as a
 * list, interspersed with separators or changed in case.
 */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "");
}

/**
 * Returns every substring that reveals `secret`, in every form; none if the secret is too short. A phrase is revealed only as a
 * whole.
 */
export function canaryGrams(secret: string, isPhrase = false): CanaryGram[] {
  if (fold(secret).length < CANARY_MIN_LENGTH) return [];
  const grams = new Map<string, CanaryGram>();
  for (const [form, writings, length] of writingsOf(secret)) {
    for (const folded of writings.map(fold)) {
      for (const text of isPhrase ? [folded] : stretches(folded, length)) {
        const isShort = text.length < Math.min(length, folded.length);
        if (!grams.has(text)) grams.set(text, { text, form, isShort });
      }
    }
  }
  return [...grams.values()];
}

/**
 * Returns each form with its possible encodings and the length of a piece, which corresponds to about ten characters of the
 * secret.
 */
function writingsOf(secret: string): [CanaryForm, string[], number][] {
  const bytes = Buffer.from(secret, "utf8");
  const reversed = Array.from(secret).toReversed().join("");
  const codes = (radix: number, width: number): string =>
    [...bytes].map((byte) => byte.toString(radix).padStart(width, "0")).join(" ");
  return [
    ["plain", [secret], GRAM_LENGTH],
    ["reversed", [reversed], GRAM_LENGTH],
    ["rot13", [rotated(secret, 13)], GRAM_LENGTH],
    ["base64", base64Writings(bytes), GRAM_LENGTH],
    ["base64 of base64", base64Writings(bytes).flatMap((text) => base64Writings(Buffer.from(text))), 20],
    [
      "base64, reversed",
      [
        ...base64Writings(Buffer.from(reversed)),
        ...base64Writings(bytes).map((text) => Array.from(text).toReversed().join("")),
      ],
      GRAM_LENGTH,
    ],
    ["base32", base32Writings(bytes), GRAM_LENGTH],
    ["hex", [bytes.toString("hex")], 20],
    ["hex, reversed", [Array.from(bytes.toString("hex")).toReversed().join(""), hexOf(reversed)], 20],
    ["decimal codes", [codes(10, 0), codes(10, 3)], 28],
    ["octal codes", [codes(8, 3)], 28],
    ["binary codes", [codes(2, 8)], 80],
    ...decodedWritings(secret),
  ];
}

/**
 * Returns the encodings of the bytes of a secret that is itself base64, such as the lines of a private key. That secret may
 * appear as it is or encoded again from its bytes.
 */
function decodedWritings(secret: string): [CanaryForm, string[], number][] {
  if (!/^(?=.*[0-9+/])(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/]{38,}={0,2}$/.test(secret)) return [];
  const bytes = Buffer.from(secret, "base64");
  const form = "bytes of its base64" as const;
  return [
    [form, [bytes.toString("hex")], 20],
    [form, base64Writings(bytes), GRAM_LENGTH],
  ];
}

/**
 * Returns all pieces of `length`, and shorter pieces that do not occur in prose. Returns the whole text when it is not longer
 * than `length`.
 */
function stretches(text: string, length: number): string[] {
  const all = windows(text, Math.min(length, text.length));
  return length === GRAM_LENGTH ? [...all, ...windows(text, SHORT_GRAM_LENGTH).filter(isNoProse)] : all;
}

function windows(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) =>
    text.slice(at, at + length),
  );
}

/** Returns whether letters and digits alternate at least three times. */
function isNoProse(text: string): boolean {
  return (text.match(/[a-z](?=[0-9])|[0-9](?=[a-z])/g)?.length ?? 0) >= 3;
}

/**
 * Returns the base64 of the bytes at each possible offset within a longer text, without the ends, which depend on the
 * neighbouring bytes.
 */
function base64Writings(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

function base32Writings(bytes: Buffer): string[] {
  return [0, 1, 2, 3, 4].map((before) => {
    const bits = [...Buffer.alloc(before), ...bytes]
      .map((byte) => byte.toString(2).padStart(8, "0"))
      .join("");
    const text = (bits.match(/.{5}/g) ?? [])
      .map((five) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(five, 2)] ?? "")
      .join("");
    return text.slice(Math.ceil((before * 8) / 5));
  });
}

function hexOf(text: string): string {
  return Buffer.from(text).toString("hex");
}
