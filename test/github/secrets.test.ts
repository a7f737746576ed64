import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskSecrets, REDACTED, redactSecrets } from "../../src/github/index.ts";
import { tokenExamples } from "../support/attacks/rows/tokens.ts";

const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const spread = (separator: string): string => Array.from(token).join(separator);

test.each(tokenExamples)("%s is removed and masked (S18)", (_, token, core) => {
  for (const text of [token, `before ${token}`, `"${token}"\n`]) {
    expect(redactSecrets(text)).not.toContain(core);
    expect(maskSecrets(text)).not.toContain(core);
  }
});

describe("every token with a recognisable prefix contains one of the anchors that are searched for first (S11, S18)", () => {
  /** These are found only by the text around them, and therefore not in an encoding. */
  const byContext = /AWS secret|Coder token|in a URL|bearer header|is assigned|in JSON/;
  const telling = tokenExamples.filter(([name]) => !byContext.test(name));
  test.each(telling)("%s is masked in base64 and in hex, even in a long text", (_, token) => {
    const prose = "The server has answered request 17.\r\n".repeat(40);
    const writings = [
      // This is the form in which `echo … | base64` writes it.
      Buffer.from(`${token}\n`).toString("base64"),
      Buffer.from(`${prose}${token}`).toString("base64"),
      Buffer.from(token).toString("hex"),
      Buffer.from(Buffer.from(`${token}\n`).toString("base64")).toString("base64"),
    ];
    for (const written of writings) {
      const text = `${prose}${written} ${prose}`;
      expect(maskSecrets(text)).not.toContain(written);
      expect(maskSecrets(text)).toHaveLength(text.length);
    }
  });
});

describe("a key is removed as a whole, including the dashes in it (S18)", () => {
  const letters = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA".repeat(4);
  test.each([
    ...["proj", "svcacct", "admin", "None"].map(
      (kind) => `sk-${kind}-${letters.slice(0, 20)}-${letters.slice(0, 20)}_T3BlbkFJ${letters.slice(0, 40)}`,
    ),
    `xai-${letters.slice(0, 80)}`,
    `gsk_${letters.slice(0, 52)}`,
    `glsa_${letters.slice(0, 32)}_a1b2c3d4`,
    `GOCSPX-${letters.slice(0, 9)}-${letters.slice(0, 18)}`,
    `ATATT3xFfGF0${letters}-${letters.slice(0, 42)}=A1B2C3D4`,
  ])("%s", (key) => {
    expect(redactSecrets(`before ${key} after`)).toBe(`before ${REDACTED} after`);
    const encoded = Buffer.from(key).toString("base64");
    expect(maskSecrets(encoded)).not.toContain(encoded);
  });

  test.each([
    "sk-proj-demo is the project, and sk-admin-panel its class",
    "task-project-with-a-name-that-is-quite-long-indeed-for-one",
    "xai-sdk-python, gsk_buff, glsa_count and GOCSPX-… are names",
    "pul-request-with-a-long-name-that-goes-on, r8_buffer_of_the_renderer_that_is_rather_long and ntn_count",
    "figd_thing, dp.pt.short, my.atlasv1.name, ATBBS and tskey-auth-demo are names",
    "npm run test-sk-live-reload-and-then-some-more-of-these-words",
  ])("%s stays", (words) => expect(redactSecrets(words)).toBe(words));
});

describe("a token is found in every disguise (S18)", () => {
  const check = (text: string, expected: string): void => expect(redactSecrets(text)).toBe(expected);
  const each = (write: (code: number) => string): string =>
    Array.from(token, (character) => write(character.charCodeAt(0))).join("");
  test.each([
    ["as it is", token],
    ["in entities", each((code) => `&#${code};`)],
    ["in entities of entities", each((code) => `&amp;#${code};`)],
    ["in percents", each((code) => `%${code.toString(16)}`)],
    ["in JSON's escapes", each((code) => String.raw`\u00${code.toString(16)}`)],
    ["in full width", each((code) => String.fromCodePoint(code + 0xfee0))],
    ["in colours", spread("\u001b[1m")],
    ["in UTF-8 read as bytes", Buffer.from(spread("\u{200b}")).toString("latin1")],
    [
      "in markup",
      `${token.slice(0, 9)}**${token.slice(9, 20)}**[${token.slice(20, 30)}](x)${token.slice(30)}`,
    ],
  ])("%s", (_, written) => check(`before ${written} after`, `before ${REDACTED} after`));

  test.each(["50% of it", "C:\\new\\table", "a **bold** [link](x)", "&amp; &#8364; \u001b[1mred\u001b[0m"])(
    "%s stays",
    (words) => check(words, words),
  );
});

test("masking keeps the length, line ends, and the text between the characters of a token (S18)", () => {
  const check = (text: string, expected: string): void => expect(maskSecrets(text)).toBe(expected);
  const stars = Array.from(token, () => "*");
  check(`\u001b[1m${spread("\u001b[2m")}\r\n`, `\u001b[1m${stars.join("\u001b[2m")}\r\n`);
  check(`"&#103;${token.slice(1)}"`, `"${"*".repeat(token.length + 5)}"`);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(token, "&#103;", "\u001b[1m", "%41", "\\", "\\u", "é", "&", ";", "a1", "\n")),
      (parts) => {
        const text = parts.join("");
        expect(maskSecrets(text)).toHaveLength(text.length);
        expect(redactSecrets(redactSecrets(text))).toBe(redactSecrets(text));
      },
    ),
    { numRuns: 200 },
  );
});
