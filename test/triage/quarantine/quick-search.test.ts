import {
  array,
  assert,
  constantFrom,
  integer,
  nat,
  oneof,
  property,
  string,
  tuple,
  uint8Array,
} from "fast-check";
import { describe, expect, test } from "vitest";
import { createCanaryDetector } from "../../../src/triage/index.ts";
import { SecretSearch } from "../../../src/triage/quarantine/secret-search.ts";
import { propertyRuns } from "../../support/property-runs.ts";
import { CARRIERS, WRITINGS } from "./secret-writings.ts";

const SECRETS = [
  { name: "GITHUB_TOKEN", value: "ghp_q8Zr4LmX2vKc9TnB7wYd1HsJ6fGp3RaE5uNi" },
  { name: "PHRASE", value: "correct horse battery staple", isPhrase: true },
  { name: "SHORT", value: "Zq7-tK2m" },
  { name: "KEY", value: "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA" },
];
const detector = createCanaryDetector(SECRETS);
/** The search without the filter. */
const search = new SecretSearch();
for (const secret of SECRETS) search.add(secret);
/** The characters of encodings, escapes and escape sequences, and of the separators between them. */
const ALPHABETS = [
  "0123456789abcdef",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  "01 ",
  "0123456789 ,",
  "AZaz09+/=_-\n",
  "%&\\x0u{};#25amp41\n",
  "charwCHRU+04571 ()\\",
  "\u001b[]0;m\u0007\u009b\u009d\b\r\n:#\u00e2\u00bc",
  "\"', >|=aB3_-\r\n",
];

/** Returns the results of both searches: of the bytes, and of the text with the same characters. */
function both(bytes: Uint8Array): [quick: unknown, slow: unknown] {
  return [detector.findInBytes(bytes), search.find(Buffer.from(bytes).toString("latin1"))];
}

const carrier = constantFrom(...CARRIERS);
const secret = constantFrom(...SECRETS.map(({ value }) => value));

describe("the quick search in bytes agrees with the search in the text (S11, S8)", () => {
  test.each(Object.entries(WRITINGS))(
    "agrees on a secret written as %s, even if it is cut and between other text",
    (_, write) => {
      assert(
        property(secret, carrier, carrier, nat(300), nat(8), (value, before, after, length, cut) => {
          const written = Buffer.from(write(value.slice(cut)));
          const text = Buffer.concat([Buffer.from(before.repeat(20).slice(0, length)), written]);
          const [quick, slow] = both(Buffer.concat([text, Buffer.from(after.repeat(4))]));
          expect(quick).toEqual(slow);
        }),
        { numRuns: 12 },
      );
    },
  );

  test("agrees on a secret in two nested encodings", () => {
    const write = constantFrom(...Object.values(WRITINGS));
    assert(
      property(secret, write, write, carrier, (value, inner, outer, around) => {
        const [quick, slow] = both(Buffer.from(`${around}${outer(inner(value))}${around}`));
        expect(quick).toEqual(slow);
      }),
      { numRuns: 60 },
    );
  });

  test("agrees on a secret in up to three nested encodings between characters of every encoding", () => {
    const writings = array(constantFrom(...Object.values(WRITINGS)), { maxLength: 3 });
    const signs = oneof(
      ...ALPHABETS.map((alphabet) => string({ unit: constantFrom(...alphabet.split("")), maxLength: 80 })),
    );
    assert(
      property(secret, nat(6), writings, signs, signs, (value, cut, ways, before, after) => {
        const written = ways.reduce((text, write) => write(text).slice(0, 8_000), value.slice(cut));
        const [quick, slow] = both(Buffer.from(before + written + after, "latin1"));
        expect(quick).toEqual(slow);
      }),
      { numRuns: propertyRuns(100, 5_000) },
    );
  });

  test("agrees on random bytes and on pieces of texts", () => {
    const piece = tuple(carrier, integer({ min: 1, max: 9 })).map(([text, times]) =>
      Buffer.from(text.repeat(times)),
    );
    assert(
      property(uint8Array({ maxLength: 400 }), (bytes) => {
        const [quick, slow] = both(bytes);
        expect(quick).toEqual(slow);
      }),
      { numRuns: 40 },
    );
    assert(
      property(array(piece, { maxLength: 6 }), (pieces) => {
        const [quick, slow] = both(Buffer.concat(pieces));
        expect(quick).toEqual(slow);
      }),
      { numRuns: 40 },
    );
  });

  test("agrees on a secret of which each second to fourth character is one, with gaps of signs between them", () => {
    const gap = tuple(constantFrom('"', "., ", "-"), nat(40)).map(([sign, times]) => sign.repeat(times));
    const gaps = oneof(
      array(gap, { minLength: 1, maxLength: 4 }),
      constantFrom([""], ["."], ["", ".", ".."]),
    );
    const noise = string({ unit: constantFrom("a", "K", "7", "."), minLength: 3, maxLength: 9 });
    assert(
      property(
        secret,
        nat(20),
        gaps,
        gap,
        noise,
        integer({ min: 2, max: 4 }),
        (value, cut, between, before, others, stride) => {
          const spread = Array.from(
            value.slice(cut),
            (sign, at) => sign + (between[at % between.length] ?? ""),
          );
          const own = `${before}${spread.join("")}${before}`.replaceAll(" ", "");
          const other = (at: number): string =>
            others
              .repeat(2)
              .slice(at % others.length)
              .slice(0, stride - 1);
          const [quick, slow] = both(
            Buffer.from(`Z1${Array.from(own, (sign, at) => sign + other(at)).join("")}Z1`),
          );
          expect(quick).toEqual(slow);
        },
      ),
      { numRuns: propertyRuns(100, 5_000) },
    );
  });

  test("agrees on a secret in each form at the end of a text that is longer than the limit for rotated letters", () => {
    const long = Buffer.from("A server has answered, and 17 more.\r\n".repeat(2_000));
    for (const write of Object.values(WRITINGS)) {
      const bytes = Buffer.concat([long, Buffer.from(write(SECRETS[0]?.value ?? ""))]);
      const isFound = detector.findInBytes(bytes) !== null;
      expect(isFound).toBe(search.find(bytes.toString("latin1")) !== null);
    }
  });
});

describe("the quick search does not miss (S11, S8)", () => {
  const found = (text: string): boolean => detector.findInBytes(Buffer.from(text)) !== null;
  const token = SECRETS[0]?.value ?? "";
  const rot47 = (text: string): string =>
    text.replaceAll(/[!-~]/g, (sign) => String.fromCharCode(33 + ((sign.charCodeAt(0) - 33 + 47) % 94)));

  test.each([
    [
      "base64 in short quoted pieces",
      (
        Buffer.from(token)
          .toString("base64")
          .match(/.{1,6}/g) ?? []
      ).join('", "'),
    ],
    ...[16, 20, 32].map((digits): [string, string] => [
      `hex of a part of rot13 that lies across the end of ${digits} digits`,
      Buffer.from(`${"~".repeat(digits - 7)}${WRITINGS["rot13"]?.(token.slice(4, 18)) ?? ""}~~~~~~~~~`)
        .toString("hex")
        .replaceAll(new RegExp(`.{${digits}}`, "g"), "$& "),
    ]),
    [
      "ascii85 of which a part before decodes to other texts",
      'i6d$6omUn="e2M7RoR)AN!2,1qh2cj-M0h>582F^251K$M-2/`Hp!x',
    ],
    [
      "base64 of base58 right after another stretch of base64",
      `aGVsbG8gd29ybGRz.${Buffer.from(WRITINGS["base58"]?.(token) ?? "").toString("base64")}.aGVsbG8gd29ybGQh`,
    ],
    [
      "base32 of rot13 between bytes that are not ASCII",
      WRITINGS["base32"]?.(`\u00e9${WRITINGS["rot13"]?.(token.slice(4, 18)) ?? ""}\u00e9`) ?? "",
    ],
    ["letters of another alphabet that fold to a letter", token.replaceAll("K", "\u212a")],
    ["rot47 that ends in a tilde", rot47("xx OOOO ghp_q8Zr4LmX2vKc9TnB7wYd1HsJ6fGp3RaE5uNi")],
  ])("%s", (_, text) => {
    expect(detector.find(text)).not.toBeNull();
    expect(found(text)).toBe(true);
  });

  test("reads nothing beyond a text that ends with the beginning of a long phrase, whatever its length", () => {
    const value = Array.from({ length: 600 }, (_, at) => `word${(at * 7919) % 1_009}`).join(" ");
    const onlyPhrase = createCanaryDetector([{ name: "PHRASE", value, isPhrase: true }]);
    const beginning = value.slice(0, -20);
    // The memory of the filter ends at a multiple of 65,536 bytes; 64 bytes follow each of its buffers.
    for (let length = 0; length < 65_536; length += 89)
      expect(onlyPhrase.findInBytes(Buffer.from(`${".".repeat(length)} ${beginning}`))).toBeNull();
    expect(onlyPhrase.findInBytes(Buffer.from(`x ${value}`))).toMatchObject({ name: "PHRASE" });
  });

  test("finds the base32 of a secret of eight letters, which do not fill whole groups of five bytes", () => {
    const short = createCanaryDetector([{ name: "SHORT", value: "Zq7-tK2mX" }]);
    const text =
      WRITINGS["base32"]?.(`\u00e9\u00e9\u00e9${WRITINGS["rot13"]?.("Zq7tK2mX") ?? ""}\u00e9`) ?? "";
    expect(short.find(text)).not.toBeNull();
    expect(short.findInBytes(Buffer.from(text))).toEqual(short.find(text));
  });
});
