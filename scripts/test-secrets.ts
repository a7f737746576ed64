import { createHash } from "node:crypto";
import { createCanaryDetector } from "../src/triage/index.ts";
import { WRITINGS } from "../test/triage/quarantine/secret-writings.ts";
import { scriptArguments } from "./script-arguments.ts";

/**
 * Writes random secrets in every encoding that the quarantine knows, and in some combined encodings, each between random words,
 * and prints how many of them the search for the parent's secrets misses (S8). The exit code is 1 if it misses more than
 * `--allowed` percent. Usage: npm run test:secrets -- [--count 1000] [--seed N] [--allowed PERCENT]
 */
const { values } = scriptArguments(import.meta.url, {
  options: {
    count: { type: "string", default: "1000" },
    seed: { type: "string", default: "8" },
    allowed: { type: "string", default: "1" },
  },
});
const count = Number(values.count);

const ALPHABETS = [
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  "abcdefghijklmnopqrstuvwxyz0123456789-_",
  "0123456789abcdef",
];
const PREFIXES = ["", "ghp_", "sk-ant-", "AKIA", ""];

function randomSecret(index: number): string {
  const bytes = createHash("sha512").update(`${values.seed} ${index}`).digest();
  const alphabet = ALPHABETS[index % ALPHABETS.length] ?? "";
  const length = 20 + ((bytes[0] ?? 0) % 25);
  const prefix = PREFIXES[index % PREFIXES.length] ?? "";
  return (
    prefix + Array.from({ length }, (_, at) => alphabet[(bytes[at + 1] ?? 0) % alphabet.length]).join("")
  );
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const hex = (text: string): string => Buffer.from(text).toString("hex");
const reversed = (text: string): string => Array.from(text).toReversed().join("");
const rot13 = WRITINGS["rot13"] ?? ((text: string) => text);
/** Returns an encoder that writes decimal codes in the digits of another script, whose zero is given. */
const codesFrom = (zero: number) => (text: string) =>
  Array.from(Buffer.from(text), (byte) =>
    String(byte).replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit))),
  ).join(" ");

const LAYERED: Readonly<Record<string, (secret: string) => string>> = {
  "hex of base64": (secret) => hex(base64(secret)),
  "base64 of hex": (secret) => base64(hex(secret)),
  "base64 of UTF-16, big endian": (secret) => Buffer.from(secret, "utf16le").swap16().toString("base64"),
  "hex of UTF-16": (secret) => Buffer.from(secret, "utf16le").toString("hex"),
  "base64 of rot13": (secret) => base64(rot13(secret)),
  "rot13 of base64": (secret) => rot13(base64(secret)),
  "hex of the secret reversed": (secret) => hex(reversed(secret)),
  "hex, reversed": (secret) => reversed(hex(secret)),
  "base64 of base64 of base64": (secret) => base64(base64(base64(secret))),
  "codes in Arabic-Indic digits": codesFrom(0x0660),
  "codes in Devanagari digits": codesFrom(0x0966),
  "codes in full-width digits": codesFrom(0xff10),
  "codes in mathematical digits": codesFrom(0x1d7ce),
  "a character an item": (secret) => Array.from(secret, (sign) => `- ${sign}`).join("\n"),
  "a character an item of a list in quotes": (secret) => JSON.stringify(Array.from(secret)),
  "a character a cell": (secret) => `| ${Array.from(secret).join(" | ")} |`,
  "base64, a character a line": (secret) => Array.from(base64(secret)).join("\n"),
  "hex, a byte an item": (secret) => (hex(secret).match(/../g) ?? []).map((byte) => `* ${byte}`).join("\n"),
  "every other character, others random": (secret) =>
    Array.from(secret, (sign, at) => sign + "q7Kz2mPx"[at % 8]).join(""),
  "every other character of base64": (secret) => Array.from(base64(secret), (sign) => `${sign}.`).join(""),
  "halves in turn": (secret) =>
    `${secret.slice(secret.length / 2)} then ${secret.slice(0, secret.length / 2)}`,
};

const rows = Object.entries({ ...WRITINGS, ...LAYERED }).map(([name, write]) => ({ name, write, passed: 0 }));
for (let index = 0; index < count; index += 1) {
  const secret = randomSecret(index);
  const detector = createCanaryDetector([{ name: "SECRET_KEY", value: secret }]);
  for (const row of rows)
    if (detector.find(`The build said: ${row.write(secret)} and went on.`) === null) row.passed += 1;
}
for (const { name, passed } of rows)
  if (passed > 0) process.stdout.write(`${name}: ${passed} of ${count} pass (${percent(passed, count)} %)\n`);
const passed = rows.reduce((sum, row) => sum + row.passed, 0);
const all = rows.length * count;
process.stdout.write(
  `${rows.length} writings of ${count} secrets, seed ${values.seed}: ${passed} of ${all} pass (${percent(passed, all)} %)\n`,
);
process.exitCode = (100 * passed) / all > Number(values.allowed) ? 1 : 0;

function percent(part: number, whole: number): string {
  return ((100 * part) / whole).toFixed(2);
}
