import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  plainText,
  REDACTED,
  redactSecrets,
  removeInvisible,
  truncateWithNotice,
} from "../../src/github/index.ts";
import { propertyRuns } from "../support/property-runs.ts";

describe("plain text", () => {
  const check = (text: string, expected: string): void => expect(plainText(text)).toBe(expected);

  test("plain text contains no escape sequences and control characters (S10)", () => {
    expect.hasAssertions();
    check("a\x1b[31mred\x1b[0m b", "ared b");
    check("\x1b]8;;https://evil.test\x07link\x1b]8;;\x1b\\", "link");
    check("\x1b]52;c;aGk=\x07x\x1bP1$r\x1b\\y\x1b(Bz", "xyz");
    check("\x9b31mred\x9d0;title\x9cx", "redx");
    check("unfinished \x1b]0;title", "unfinished 0;title");
    check("bell\x07 back\bspace \x00", "bell backspace ");
    check("tab\tstays\nline too", "tab\tstays\nline too");
  });

  test("a carriage return becomes a new line and overwrites nothing (S10)", () => {
    expect.hasAssertions();
    check("FAILED\rpassed", "FAILED\npassed");
    check("a\r\nb\u2028c", "a\nb\nc");
  });

  test("plain text contains no command of the Actions runner (S10)", () => {
    expect.hasAssertions();
    check("::set-output name=a::b", ": :set-output name=a::b");
    check("x\n \t::add-mask::y", "x\n \t: :add-mask::y");
    check("a\r::stop-commands::x", "a\n: :stop-commands::x");
    check("\u200b::error::x", ": :error::x");
    check("see ##[error]x", "see ## [error]x");
    check("std::vector stays", "std::vector stays");
  });

  test("plain text is idempotent and contains no escape sequence and no command, whatever the input (S10)", () => {
    const pieces = fc.constantFrom(
      "::",
      ":",
      "#",
      "[",
      "\x1b",
      "\x1b]",
      "\x9b",
      "\r",
      "\n",
      " ",
      "a",
      "\u202e",
      "\x07",
      "\u200d",
      "👩",
    );
    const law = fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(pieces).map((all) => all.join("")),
      ),
      (text) => {
        const plain = plainText(text);
        expect(plainText(plain)).toBe(plain);
        expect(plain).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]|^\s*::|##\[/m);
      },
    );
    fc.assert(law, { numRuns: propertyRuns(200, 500) });
  });

  test("emoji keep the invisible characters that are part of them", () => {
    expect(removeInvisible("👨‍👩‍👧 ❤️ 1️⃣ a\u200db")).toBe("👨‍👩‍👧 ❤️ 1️⃣ ab");
  });
});

describe("redaction", () => {
  const check = (secret: string): void => {
    expect(redactSecrets(`before ${secret} after`)).toBe(`before ${REDACTED} after`);
  };

  test("strings with the shape of a token are redacted (S18)", () => {
    expect.hasAssertions();
    const letters = "aB3".repeat(40);
    check(`ghp_${letters.slice(0, 36)}`);
    check(`ghs_${"aB.-_9".repeat(86)}`);
    check(`github_pat_${letters.slice(0, 30)}`);
    check(`sk-ant-api03-${letters.slice(0, 40)}`);
    check(`AKIA${"ABCD1234".repeat(2)}`);
    check(`npm_${letters.slice(0, 36)}`);
    check(`xoxb-1234567890-${letters.slice(0, 12)}`);
    check(`eyJ${letters.slice(0, 20)}.eyJ${letters.slice(0, 20)}.${letters.slice(0, 20)}`);
    check(`aBcDeFgH1j-aBcDeFgHiJkLmNoPqRsT2v`);
    check("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----");
    expect(redactSecrets("a -----BEGIN PRIVATE KEY-----\nabc")).toBe(`a ${REDACTED}`);
    expect(redactSecrets("Authorization: Bearer abcdefghijk")).toBe(`Authorization: Bearer ${REDACTED}`);
    expect(redactSecrets("https://me:hunter22@host/x")).toBe(`https://me:${REDACTED}@host/x`);
  });

  test("ordinary text is not redacted (S18)", () => {
    const text =
      "ghp_short, sk-learn, a commit 0123456789abcdef0123456789abcdef01234567, http://localhost:3000/a@b";
    expect(redactSecrets(text)).toBe(text);
  });
});

test("text over the limit is cut with a notice, within the limit and never inside a character (S7)", () => {
  expect(truncateWithNotice("short", 5)).toBe("short");
  expect(truncateWithNotice("a".repeat(200), 60)).toBe(
    `${"a".repeat(24)}\n… (176 of 200 characters not shown)`,
  );
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.integer({ min: 0, max: 300 }),
      (text, limit) => {
        const cut = truncateWithNotice(text, limit);
        expect(cut.length).toBeLessThanOrEqual(limit < text.length ? limit : text.length);
        expect(cut).not.toMatch(/\p{Surrogate}/u);
      },
    ),
  );
});
