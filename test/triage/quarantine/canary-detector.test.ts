import { assert, constantFrom, jsonValue, nat, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { createCanaryDetector, findInOutcome, parentSecrets } from "../../../src/triage/index.ts";
import { ascii85, base58, reversed, rotated } from "../../support/encodings.ts";
import { propertyRuns } from "../../support/property-runs.ts";
import { seeded } from "../../support/seeded.ts";

const TOKEN = "ghp_q8Zr4LmX2vKc9TnB7wYd1HsJ6fGp3RaE5uNi";
const PHRASE = "correct horse battery staple";
const detector = createCanaryDetector([
  { name: "GITHUB_TOKEN", value: TOKEN },
  { name: "AFK_TRIAGE_MARKER_KEY", value: PHRASE },
  { name: "SHORT", value: "abc12" },
]);

function longRandom(length: number): string {
  const next = seeded(1);
  const bytes = Uint8Array.from({ length }, () => Math.floor(next() * 256));
  return Buffer.from(bytes).toString("base64").slice(0, length);
}

const bytes = (text: string): Buffer => Buffer.from(text);
const joined = (text: string, separator: string): string => Array.from(text).join(separator);
const entities = (text: string): string =>
  Array.from(text, (character) => `&#${character.charCodeAt(0)};`).join("");
const percents = (text: string): string =>
  Array.from(text, (character) => `%${character.charCodeAt(0).toString(16)}`).join("");

describe("a secret of the parent is found in every form (S8)", () => {
  test.each<[string, (secret: string) => string]>([
    ["plain", (secret) => secret],
    ["in upper case", (secret) => secret.toUpperCase()],
    ["split over lines", (secret) => joined(secret.replaceAll(" ", ""), "\n")],
    ["in a terminal's title", (secret) => `\u001b]0;${secret}\u0007`],
    ["in a list", (secret) => secret.replaceAll(/.{4}/g, "$&\n- ")],
    ["with zero-width characters", (secret) => joined(secret, "\u{200b}")],
    ["with soft hyphens and combining joiners", (secret) => joined(secret, "\u{ad}\u{34f}")],
    ["with colours between", (secret) => joined(secret, "\u001b[1m")],
    [
      "full width",
      (secret) => secret.replaceAll(/[!-~]/g, (c) => String.fromCodePoint(c.charCodeAt(0) + 0xfee0)),
    ],
    ["reversed", reversed],
    [
      "rot13",
      (secret) =>
        secret.replaceAll(/[a-z]/gi, (c) =>
          String.fromCharCode(c.charCodeAt(0) + (/[a-m]/i.test(c) ? 13 : -13)),
        ),
    ],
    ["base64", (secret) => bytes(secret).toString("base64")],
    ["base64, one further", (secret) => bytes(`x${secret}yz`).toString("base64")],
    ["base64, two further", (secret) => bytes(`xy${secret}z`).toString("base64")],
    ["base64url in lines", (secret) => bytes(secret).toString("base64url").replaceAll(/.{8}/g, "$&\n")],
    ["base64 of base64", (secret) => bytes(bytes(`.${secret}`).toString("base64")).toString("base64")],
    ["base64 of the reverse", (secret) => bytes(reversed(secret)).toString("base64")],
    ["the reverse of base64", (secret) => reversed(bytes(secret).toString("base64"))],
    ["hex", (secret) => bytes(secret).toString("hex")],
    ["hex with colons", (secret) => joined(bytes(secret).toString("hex").toUpperCase(), ":")],
    ["od", (secret) => [...bytes(secret)].map((byte) => byte.toString(8).padStart(3, "0")).join(" ")],
    ["decimal codes", (secret) => [...bytes(secret)].join(", ")],
    ["bits", (secret) => [...bytes(secret)].map((byte) => byte.toString(2).padStart(8, "0")).join(" ")],
    ["url-encoded", encodeURIComponent],
    ["all of it url-encoded", percents],
    ["url-encoded twice", (secret) => encodeURIComponent(percents(secret))],
    ["entities", entities],
    ["escapes of JSON", (secret) => percents(secret).replaceAll("%", String.raw`\u00`)],
    ["calls of chr", (secret) => [...bytes(secret)].map((byte) => `chr(${byte})`).join(" + ")],
    ["calls of CHAR", (secret) => [...bytes(secret)].map((byte) => `CHAR(${byte})`).join("&")],
    ["code points", (secret) => [...bytes(secret)].map((byte) => `U+00${byte.toString(16)}`).join(" ")],
    ["octal escapes", (secret) => [...bytes(secret)].map((byte) => `\\${byte.toString(8)}`).join("")],
    ["hex of base64", (secret) => bytes(bytes(secret).toString("base64")).toString("hex")],
    [
      "base64 of hex of base64",
      (secret) => bytes(bytes(bytes(secret).toString("base64")).toString("hex")).toString("base64"),
    ],
    ["base64 of UTF-16", (secret) => Buffer.from(secret, "utf16le").toString("base64")],
    ["base64 of rot13", (secret) => bytes(rotated(secret, 13)).toString("base64")],
    [
      "hex of the reverse of base64",
      (secret) => bytes(reversed(bytes(secret).toString("base64"))).toString("hex"),
    ],
    ["letters rotated by five", (secret) => rotated(secret, 5)],
    [
      "rot47",
      (secret) => secret.replaceAll(/[!-~]/g, (c) => String.fromCharCode(((c.charCodeAt(0) + 14) % 94) + 33)),
    ],
    ["decimal codes of base64", (secret) => [...bytes(bytes(secret).toString("base64"))].join(" ")],
    [
      "digits of another script",
      (secret) => secret.replaceAll(/\d/g, (d) => String.fromCodePoint(0x0660 + Number(d))),
    ],
    ["one character a list item", (secret) => Array.from(secret, (c, at) => `${at + 1}. ${c}`).join("\n")],
    ["one character a bullet, in quotes", (secret) => Array.from(secret, (c) => `- "${c}"`).join("\n")],
    [
      "every other character",
      (secret) => `\n${Array.from(secret.replaceAll(" ", ""), (c) => `${c}x`).join("")}`,
    ],
    [
      "every third character",
      (secret) => `\n${Array.from(secret.replaceAll(" ", ""), (c) => `${c}yz`).join("")}`,
    ],
    [
      "first letters of words",
      (secret) => Array.from(secret.replaceAll(" ", ""), (c) => `${c}ord`).join(" "),
    ],
    ["ascii85", (secret) => ascii85(secret)],
    ["base58", (secret) => base58(secret)],
    ["prefix-cut", (secret) => secret.slice(4)],
    ["cut to its beginning", (secret) => secret.slice(0, 18)],
    ["cut out of its middle", (secret) => secret.slice(7, 25)],
  ])("%s", (_, write) => {
    for (const secret of [TOKEN, PHRASE]) {
      expect(detector.find(`It says ${write(secret)} and no more.`)).not.toBeNull();
    }
  });

  test("is found at any place, with any text around it", () => {
    assert(
      property(string(), string(), nat(20), (before, after, cut) => {
        const part = TOKEN.slice(cut, cut + 18);
        expect(detector.find(`${before} ${part} ${after}`)?.name).toBe("GITHUB_TOKEN");
      }),
    );
  });
});

test("words, hashes and other tokens are not reported as secrets (S8)", () => {
  for (const text of [
    "The correct answer: a horse is no staple, whatever the battery says.",
    "gho_0123456789abcdefghijABCDEFGHIJ012345",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "abc12",
    "",
  ]) {
    expect(detector.find(text)).toBeNull();
    expect(detector.withhold(text)).toBe(text);
  }
});

test("the message about a hit names the variable and the form, never the value (S8)", () => {
  const said = detector.withhold(`see ${bytes(TOKEN).toString("base64")}`);
  expect(said).toBe("[withheld: it holds the parent's secret GITHUB_TOKEN (base64)]");
  expect(createCanaryDetector([]).find(TOKEN)).toBeNull();
});

test("a secret that is obtained at run time is watched from then on (S25)", () => {
  const canaries = createCanaryDetector([]);
  const renewed = "Zk4tR9mW2q-renewed-token-7";
  expect(canaries.find(renewed)).toBeNull();
  canaries.watch({ name: "a Coder token", value: renewed });
  expect(canaries.find(`it is ${bytes(renewed).toString("base64")}`)?.name).toBe("a Coder token");
});

test("a value of the maximum length is watched, even when it becomes known late (S25, S8)", () => {
  const value = longRandom(8_192);
  const canaries = createCanaryDetector([]);
  for (const secret of parentSecrets({ KUBECONFIG_DATA: value })) canaries.watch(secret);
  const text = `kubeconfig: ${value.slice(4_000, 4_040)}`;
  expect(canaries.find(text)?.name).toBe("KUBECONFIG_DATA");
  expect(canaries.findInBytes(bytes(text))?.name).toBe("KUBECONFIG_DATA");
  expect(canaries.find("widget() throws a TypeError on an empty list")).toBeNull();
});

test("pieces of a secret in neighbouring fields of an outcome are joined (S8)", () => {
  const outcome = { summary: TOKEN.slice(0, 9), established: [TOKEN.slice(9, 17), TOKEN.slice(17, 24)] };
  const hit = findInOutcome(Buffer.from(JSON.stringify(outcome)), detector);
  expect(hit).toEqual({ name: "GITHUB_TOKEN", form: "plain" });
  expect(findInOutcome(Buffer.from('{"summary": "nothing'), detector)).toBeNull();
});

/** Returns what `findInOutcome` searches after the text of the file itself. */
function searchedStrings(text: string): string | undefined {
  const searched: string[] = [];
  const find = (one: string): null => (searched.push(one), null);
  findInOutcome(Buffer.from(text), { ...detector, find });
  return searched[1];
}

test("exactly the string values of an outcome are joined, whatever keys are between them (S8)", () => {
  assert(
    property(jsonValue(), constantFrom(undefined, 2), (value, indent) => {
      const strings = (of: unknown): string[] => {
        if (typeof of === "string") return [JSON.stringify(of).slice(1, -1)];
        return typeof of === "object" && of !== null ? Object.values(of).flatMap(strings) : [];
      };
      expect(searchedStrings(JSON.stringify(value, null, indent))).toBe(strings(value).join("\n"));
    }),
    { numRuns: propertyRuns(200, 5_000) },
  );
});

test("a string that is not closed is read once and to the end of the text (S8, S9)", () => {
  expect(searchedStrings(`["a", ${String.raw`\"`.repeat(4)}`)).toBe(`a\n${String.raw`\"`.repeat(3)}`);
  expect(searchedStrings('{"a": "b\\')).toBe("b\\");
});

test.each([
  ["short ASCII text", ""],
  ["ASCII text of the filter's maximum length", "a line of a log\n".repeat(16_000)],
  ["longer ASCII text", "a line of a log\n".repeat(20_000)],
  ["text with other letters", "Zeile für Zeile\n".repeat(200)],
])("a secret is found at the end of %s (S8)", (_, before) => {
  expect(detector.find(before)).toBeNull();
  expect(detector.find(`${before}${TOKEN}`)?.name).toBe("GITHUB_TOKEN");
});
