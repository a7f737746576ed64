import { ascii85, base32, base58, reversed, rotated } from "../../support/encodings.ts";

const bytes = (text: string): Buffer => Buffer.from(text);
const joined = (text: string, separator: string): string => Array.from(text).join(separator);
const each = (text: string, write: (sign: string, at: number) => string): string =>
  Array.from(text, write).join("");

const codes = (text: string, radix: number, width: number, between: string): string =>
  [...bytes(text)].map((byte) => byte.toString(radix).padStart(width, "0")).join(between);

/** The ways of writing a secret that the search knows. */
export const WRITINGS: Readonly<Record<string, (secret: string) => string>> = {
  itself: (secret) => secret,
  "upper case": (secret) => secret.toUpperCase(),
  "a character a line": (secret) => joined(secret, "\r\n"),
  "a terminal's title": (secret) => `\u001b]0;${secret}\u0007`,
  "pieces of a list": (secret) => secret.replaceAll(/.{4}/g, "$&\n- "),
  "numbered items": (secret) => each(secret, (sign, at) => `\n${at + 1}. ${sign}`),
  "coloured characters": (secret) => joined(secret, "\u001b[1m"),
  "overwritten characters": (secret) => joined(secret, "_\b"),
  "full-width characters": (secret) =>
    each(secret, (sign) => (sign > " " ? String.fromCodePoint(sign.charCodeAt(0) + 0xfee0) : sign)),
  reversed,
  rot13: (secret) => rotated(secret, 13),
  "letters rotated by five": (secret) => rotated(secret, 5),
  rot47: (secret) =>
    secret.replaceAll(/[!-~]/g, (sign) => String.fromCharCode(((sign.charCodeAt(0) + 14) % 94) + 33)),
  base64: (secret) => bytes(secret).toString("base64"),
  "base64, one further": (secret) => bytes(`x${secret}yz`).toString("base64"),
  "base64url in lines": (secret) => bytes(secret).toString("base64url").replaceAll(/.{8}/g, "$&\r\n"),
  "base64 in quoted pieces of a list": (secret) =>
    bytes(secret)
      .toString("base64")
      .replaceAll(/.{1,8}/g, '"$&", '),
  "base64 in lines of single quotes": (secret) =>
    bytes(secret)
      .toString("base64url")
      .replaceAll(/.{1,8}/g, "'$&',\n  "),
  "base64, padded, in lines of a quotation": (secret) =>
    `${bytes(`${secret}${secret}`.slice(0, 23)).toString("base64")}\n> ${bytes(secret).toString("base64")}`,
  "base64 of characters apart": (secret) => bytes(joined(secret, " ")).toString("base64"),
  "base64 between binary bytes": (secret) =>
    Buffer.concat([Buffer.from([0xff, 0x81, 0x9c, 0xf3]), bytes(secret), Buffer.from([0xc3, 0x88])]).toString(
      "base64",
    ),
  "hex between binary bytes": (secret) => `ff819cf3e4${bytes(secret).toString("hex")}88ff`,
  "ascii85 between binary bytes": (secret) => `s8W-!${ascii85(secret)}s8W-!`,
  "base64 of UTF-16": (secret) => Buffer.from(secret, "utf16le").toString("base64"),
  "base64, reversed": (secret) => reversed(bytes(secret).toString("base64")),
  base32,
  hex: (secret) => bytes(secret).toString("hex"),
  "hex with prefixes": (secret) => codes(secret, 16, 2, "").replaceAll(/../g, "0x$&, "),
  "escapes of JavaScript": (secret) => codes(secret, 16, 2, "").replaceAll(/../g, String.raw`\x$&`),
  "calls of chr": (secret) => each(secret, (sign) => `chr(${sign.charCodeAt(0)})+`),
  "calls of CHAR without parentheses": (secret) => each(secret, (sign) => `CHAR ${sign.charCodeAt(0)}.`),
  "code points": (secret) => codes(secret, 16, 4, " ").toUpperCase().replaceAll(/\S{4}/g, "U+$&"),
  "octal escapes": (secret) => each(secret, (sign) => `\\${sign.charCodeAt(0).toString(8)}`),
  "octal codes": (secret) => codes(secret, 8, 3, " "),
  "decimal codes": (secret) => codes(secret, 10, 0, ", "),
  "decimal codes of base64": (secret) => codes(bytes(secret).toString("base64"), 10, 0, "\n"),
  bits: (secret) => codes(secret, 2, 8, " "),
  percents: (secret) => codes(secret, 16, 2, "").replaceAll(/../g, "%$&"),
  entities: (secret) => each(secret, (sign) => `&#${sign.charCodeAt(0)};`),
  "every other character": (secret) => each(secret, (sign) => `${sign}x`),
  "every third character": (secret) => each(secret, (sign) => `${sign}.z`),
  "every fourth character": (secret) => each(secret, (sign) => `${sign}abc`),
  "first letters of words": (secret) =>
    joined(
      each(secret, (sign) => `${sign}ord `),
      "",
    ),
  "last letters of words": (secret) => each(secret, (sign) => `wor${sign} `),
  "first letters of lines": (secret) => each(secret, (sign) => `${sign} is it\n`),
  ascii85,
  base58,
  "base58 of base64": (secret) => base58(bytes(secret).toString("base64").slice(0, 40)),
};

/** Texts that may surround a secret. */
export const CARRIERS: readonly string[] = [
  "",
  " ",
  "The server has answered.\r\n",
  "\u001b[32mok\u001b[0m 12\r\n",
  "\u001b]8;;https://example.org\u0007link\u001b]8;;\u0007 ",
  "│ item ● ─── │\n",
  "100% done && \\x41 \\n 0x20 ",
  "::warning::x\n",
  "std::vector<int> ##[group] ",
  "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo=",
  "deadbeef 00ff 17:23:55 ",
  "1\n2\n3\n4\n5\n6\n7\n",
  "- [x] 1) one\n* two\n",
  "/usr/lib/node_modules/some-package/index.js:12:34 ",
  '<~87cURD]i,"Ebo80~>',
  "a\bb\u0000c\u007fd ",
];
