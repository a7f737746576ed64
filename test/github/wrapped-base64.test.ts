import { array, assert, constantFrom, integer, property, string, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { maskSecrets } from "../../src/github/index.ts";
import { propertyRuns } from "../support/property-runs.ts";

const TOKEN = "ghp_q8Zr4LmX2vKc9TnB7wYd1HsJ6fGp3RaE5uNi";
/** Adds a character above U+00FF, so that the text no longer consists of bytes and the pattern finds the stretches of base64. */
const BEYOND_BYTES = " \u4e00";

function maskedByPattern(text: string): string {
  return maskSecrets(text + BEYOND_BYTES).slice(0, -BEYOND_BYTES.length);
}

const inner = tuple(string({ maxLength: 30 }), string({ maxLength: 30 })).map(([before, after]) =>
  Buffer.from(before + TOKEN + after).toString("base64"),
);
/** Line ends that continue a stretch of base64, and some that end it. */
const gap = tuple(
  constantFrom("\n", "\r\n", "\r", "\n\n", " ", ""),
  string({ unit: constantFrom(" ", "\t", ">"), maxLength: 11 }),
).map(([end, indent]) => end + indent);
const wrapped = tuple(inner, integer({ min: 1, max: 90 }), gap).map(([text, columns, end]) =>
  (text.match(new RegExp(`.{1,${columns}}`, "g")) ?? []).join(end),
);
const noise = constantFrom(
  "src/module/file",
  "=",
  "abc",
  "0123456789ab",
  "\n",
  "\r\n",
  " > ",
  "INFO request 17 ",
);

describe("the masking of base64 in bytes (S18, S11)", () => {
  test("masking in bytes masks exactly what the pattern finds", () => {
    let maskedTexts = 0;
    assert(
      property(array(tuple(noise, wrapped, noise), { maxLength: 3 }), array(noise), (parts, end) => {
        const text = [...parts.flat(), ...end].join("");
        const masked = maskSecrets(text);
        expect(masked).toBe(maskedByPattern(text));
        if (masked !== text) maskedTexts += 1;
      }),
      { numRuns: propertyRuns(300, 20_000) },
    );
    expect(maskedTexts).toBeGreaterThan(0);
  });

  test.each([12, 16, 40, 76, 80])(
    "masking finds a token in base64 that is wrapped at %i columns",
    (columns) => {
      const encoded = Buffer.from(`token=${TOKEN} of the account`).toString("base64");
      const text = `log\n${(encoded.match(new RegExp(`.{1,${columns}}`, "g")) ?? []).join("\r\n > ")}\nend`;
      expect(maskSecrets(text)).toContain("*".repeat(12));
    },
  );
});
