import { describe, expect, test } from "vitest";
import { REDACTED, redactSecrets, redactSecretsIn } from "../../src/github/index.ts";
import { base32, reversed, rotated } from "../support/encodings.ts";

const TOKEN = "ghp_q8Zr4LmX2vKc9TnB7wYd1HsJ6fGp3RaE5uNi";
const bytesAs = (write: (byte: number) => string, between: string): string =>
  Array.from(Buffer.from(TOKEN), write).join(between);

/** Exactly the token is removed: the words around it stay. */
test.each([
  ["backwards", reversed(TOKEN)],
  ["in rot13", rotated(TOKEN, 13)],
  ["in base32", base32(TOKEN)],
  ["in bits", bytesAs((byte) => byte.toString(2).padStart(8, "0"), " ")],
  ["in bits without blanks", bytesAs((byte) => byte.toString(2).padStart(8, "0"), "")],
  ["in codes", bytesAs((byte) => byte.toString(), ", ")],
  ["in hex with colons", bytesAs((byte) => byte.toString(16), ":")],
  ["with typographic dashes", TOKEN.replaceAll("_", "\u203f")],
])("a token %s is removed, and the words around it stay (S18)", (_, written) => {
  expect(redactSecrets(`<before> ${written} <after>`)).toBe(`<before> ${REDACTED} <after>`);
});

test("the shortest token is removed, even in base64 between bytes that are not text (S18)", () => {
  const written = Buffer.from(`\xff\xff\xff\xff\xffxoxb-a1B2c3D4e5\xff\xff\xff\xff`, "latin1").toString(
    "base64",
  );
  expect(redactSecrets(`<before> ${written} <after>`)).toBe(`<before> ${REDACTED} <after>`);
});

describe("redaction of tokens with a recognisable prefix (S18)", () => {
  test.each(["whsec_", "hf_", "lin_api_", "sntrys_", "sk_test_", "rk_live_", "pk_live_"])("%s…", (prefix) => {
    expect(redactSecrets(`x ${prefix}a1B2c3D4e5F6g7H8i9J0 y`)).toBe(`x ${REDACTED} y`);
  });
});

test("tokens are removed from every string of a document, and nothing else changes (S18)", () => {
  const document = { list: [TOKEN, 1, null, true], inner: { text: `a ${TOKEN} b` } };
  expect(redactSecretsIn(document)).toEqual({
    list: [REDACTED, 1, null, true],
    inner: { text: `a ${REDACTED} b` },
  });
});
