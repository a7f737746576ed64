import { array, assert, constantFrom, integer, nat, oneof, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { maskSecrets } from "../../../src/github/index.ts";
import { SECRET_SHAPES } from "../../../src/github/secret-shapes.ts";
import { mayHoldToken } from "../../../src/triage/quarantine/quick/index.ts";
import { propertyRuns } from "../../support/property-runs.ts";
import { seeded } from "../../support/seeded.ts";
import { CARRIERS, WRITINGS } from "./secret-writings.ts";
import { DISGUISES, TOKENS } from "./token-writings.ts";

/** Returns a token with characters from the seed. Some tokens are up to two characters longer than necessary in each part. */
function tokenOf(seed: number): string {
  const next = seeded(seed);
  const draw = (set: string, length: number): string =>
    Array.from({ length: length + (seed % 3) }, () => set[Math.floor(next() * set.length)]).join("");
  return TOKENS[seed % TOKENS.length]?.(draw) ?? "";
}

/** Returns false if the filter reports that nothing has to be masked although something has to be. */
function isSafe(text: string): boolean {
  const masked = maskSecrets(text) !== text;
  return !masked || mayHoldToken(Buffer.from(text, "latin1"));
}

/** Like `isSafe`, but always runs the filter, which throws if it reads or writes outside its memory. */
function isRead(text: string): boolean {
  mayHoldToken(Buffer.from(text, "latin1"));
  return isSafe(text);
}

describe("the filter before the masking misses no token (S11, S18)", () => {
  test.each(TOKENS.map((_, index) => tokenOf(index)))("%s", (token) => {
    expect(maskSecrets(`x ${token} y`)).not.toContain(token);
    expect(mayHoldToken(Buffer.from(`x ${token} y`))).toBe(true);
  });

  test("the tokens of these tests have every shape", () => {
    const texts = TOKENS.map((_, index) => tokenOf(index));
    const missing = SECRET_SHAPES.filter(({ pattern }) => texts.every((text) => text.search(pattern) === -1));
    expect(missing).toEqual([]);
  });

  test("the filter finds nothing to mask in ordinary output", () => {
    const texts = [
      "INFO the server has answered request 17 in /src/module/file.ts with status okay\r\n".repeat(99),
      Array.from({ length: 9_000 }, (_, index) => `${index + 412_000}\r\n`).join(""),
      Array.from(
        { length: 900 },
        (_, index) => `\u001b[3${index % 8}mtest\u001b[0m │ ● ${index} ───\r\n`,
      ).join(""),
    ];
    for (const text of texts) {
      const bytes = Buffer.from(text);
      expect(maskSecrets(bytes.toString("latin1"))).toBe(bytes.toString("latin1"));
      expect(mayHoldToken(bytes)).toBe(false);
    }
  });

  test("the filter reads any text to its end, even a text of a single character or of separators only", () => {
    for (let code = 0; code < 256; code += 1)
      for (const length of [0, 1, 28, 29, 47, 200])
        expect(isRead(String.fromCharCode(code).repeat(length)), `code ${code}, ${length} times`).toBe(true);
    const few = constantFrom(
      "\r\n \t,;:-",
      "01 \n",
      "0x\\%= ",
      "!~u <>",
      "=-_/+",
      "&#;x0",
      "\u001b[]m;\u0007",
      "'\"+.& \\\n",
    );
    const texts = few.chain((signs) => string({ unit: constantFrom(...signs.split("")), maxLength: 400 }));
    assert(property(texts, isRead), { numRuns: propertyRuns(1_000, 20_000) });
  });

  test("finds a token in up to three nested disguises and encodings, between characters of each", () => {
    const ways = constantFrom(...DISGUISES, ...Object.values(WRITINGS));
    const signs = oneof(
      constantFrom(...CARRIERS),
      ...["0123456789abcdef", "01 ", "0123456789 ,\u00a0", "AZaz09+/=_-\n", "%&\\x0u{};#25amp41\n"].map(
        (alphabet) => string({ unit: constantFrom(...alphabet.split("")), maxLength: 60 }),
      ),
      string({ unit: integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 30 }),
    );
    assert(
      property(nat(100_000), array(ways, { maxLength: 3 }), signs, signs, (seed, written, before, after) => {
        const token = written.reduce((text, write) => write(text).slice(0, 8_000), tokenOf(seed));
        // Once as UTF-8 bytes, and once as Latin-1 bytes.
        const text = before + token + after;
        expect(isSafe(Buffer.from(text).toString("latin1"))).toBe(true);
        expect(isSafe(Buffer.from(text, "latin1").toString("latin1"))).toBe(true);
      }),
      { numRuns: propertyRuns(150, 10_000) },
    );
  });
});
