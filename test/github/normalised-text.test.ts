import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { wordsOf, spelledWords } from "../../src/duplicates/text/index.ts";
import { normalisedText, textAsMarkdown } from "../../src/github/index.ts";
import { createCanaryDetector, looksLikeSecurityReport, questionKey } from "../../src/triage/index.ts";
import { propertyRuns } from "../support/property-runs.ts";

/** The last two are letters that become marks. */
const MARKS = ["\u0301", "\u0316", "\u0334", "\u0345", "\u{1D165}", "\uFF9E", "\uFF9F"];
const LETTERS = ["a", "E", " ", "ﬁ", "１", "한", "\u0E33"];
const letters = fc.constantFrom(...LETTERS);
const marks = (maxLength: number) => fc.array(fc.constantFrom(...MARKS), { maxLength });
const textOf = (pairs: [string, string[]][]): string =>
  pairs.map(([letter, of]) => letter + of.join("")).join("");
const forms = fc.constantFrom("NFKC" as const, "NFKD" as const);

test("a text with at most 30 marks in a row is normalised as by Unicode, and of a longer row the first 30 count (F1, S16)", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(letters, marks(70)), { maxLength: 5 }), forms, (pairs, form) => {
      const cut = pairs.map(([letter, of]): [string, string[]] => [letter, of.slice(0, 30)]);
      expect(normalisedText(textOf(pairs), form)).toBe(textOf(cut).normalize(form));
    }),
    { numRuns: propertyRuns(200, 5_000) },
  );
});

const watching = createCanaryDetector([{ name: "TOKEN", value: "Zk4tR9mW2q-renewed-token-7" }]);

test.each<[string, (text: string) => unknown]>([
  [
    "a webhook delivery",
    (text) => looksLikeSecurityReport({ title: "It crashes", body: text, labels: [] }, []),
  ],
  ["the index of duplicates", wordsOf],
  ["the spelling of index terms", spelledWords],
  ["a question", questionKey],
  ["the search for secrets", (text) => watching.find(text)],
  ["a published text", textAsMarkdown],
])("%s has no text normalised in which thousands of marks follow one letter (F1, S8, S16)", (_, read) => {
  const spy = vi.spyOn(String.prototype, "normalize");
  for (const pair of ["\u0301\u0316", "\uFF9E\u0316"]) read(`a${pair.repeat(1_000)} b`);
  const texts = spy.mock.contexts.map(String);
  spy.mockRestore();
  const rows = texts.flatMap((text) => text.match(/[\p{M}\uFF9E\uFF9F]+/gu) ?? []).map((row) => row.length);
  expect(rows.length).toBeGreaterThan(0);
  expect(Math.max(...rows)).toBeLessThanOrEqual(60);
});
