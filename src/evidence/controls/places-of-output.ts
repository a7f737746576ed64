import { pairsOfDiffs } from "./diffs-in-output.ts";

const MAX_PLACES = 60;
const MAX_WORDS = 40;
/** The number of lines of one place, because an answer and the expected value are often on different lines. */
const LINES = 3;
const WANTED =
  /(?:\b(?:expect(?:ed)?|want(?:ed)?|should (?:be|have been|equal)|instead of|reference|correct)["']?\s?[:=]?|[!=]==?|<>|≠|\bvs\.?|^\s*-)\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,;()]+)/gim;
/** Matches the usual words of assertion libraries. The last group is the expected value. */
const TO_EQUAL =
  /\bexpected\s[^\n]{1,200}?\sto (?:[a-z]+ ){0,2}?(?:equal|eql|be)(?: to)? ("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\s,;]+)/gi;
/** Matches values with names, such as `ours: 1, theirs=2`. */
const LABELLED = /[\p{L}\p{N}_)\]][:=]\s{0,4}("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\s,;()'"]+)/gu;

/** Returns the values that a program's output calls expected, in the words of an assertion library: `expected 1 to equal 2`. */
export function expectedInWords(output: string): string[] {
  return [...output.matchAll(TO_EQUAL)].map((match) => match[1] ?? "");
}

/**
 * Returns the places of a script's output where an answer may be printed together with a value that is named as expected, as
 * expressions of `{ words, wanted }`. The differences of `diff` come first, then single lines, then groups of lines; in both of
 * these, the lines with the claimed text come first. If a claimed line names no value as expected, each of its values with a name
 * may be the expected one for the others.
 */
export function placesOf(output: string, claimed: string): string[] {
  const lines = output.split("\n").map((line) => line.slice(0, 400));
  const isClaimed = (line: string): boolean => claimed !== "" && line.includes(claimed);
  const numbers = lines.flatMap((line, index) => (isClaimed(line) ? [index] : []));
  const all = [...new Set([...numbers, ...lines.keys()].slice(0, MAX_PLACES))];
  const placesFrom = (number: number, count: number): string[] =>
    placesIn(lines.slice(number, number + count).join("\n"));
  const ofSeveralLines = all.flatMap((number) => {
    const places = placesFrom(number, LINES);
    const line = lines[number] ?? "";
    return places.length === 0 && isClaimed(line) ? labelledIn(line) : places;
  });
  const ofDiffs = pairsOfDiffs(output)
    .slice(0, MAX_PLACES)
    .flatMap(([one, other]) => [
      JSON.stringify({ words: [other], wanted: [one] }),
      JSON.stringify({ words: [one], wanted: [other] }),
    ]);
  return [...new Set([...ofDiffs, ...all.flatMap((number) => placesFrom(number, 1)), ...ofSeveralLines])];
}

function placesIn(text: string): string[] {
  const words = wordsOf(text).slice(0, MAX_WORDS);
  const inWords = expectedInWords(text).map(unquoted);
  const called = [...text.matchAll(WANTED)].map((match) => unquoted(match[1] ?? ""));
  const wanted = inWords.length > 0 ? inWords : called;
  return wanted.length === 0 ? [] : [JSON.stringify({ words, wanted })];
}

function labelledIn(line: string): string[] {
  const values = [...line.matchAll(LABELLED)].map((match) => unquoted(match[1] ?? ""));
  const others = (value: string): string[] => values.filter((one) => one !== value);
  return values.flatMap((value) =>
    others(value).length === 0 ? [] : [JSON.stringify({ words: others(value), wanted: [value] })],
  );
}

function wordsOf(text: string): string[] {
  const quoted = text.match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g) ?? [];
  const plain = text.split(/[\s=,;()[\]{}"']+/).map((word) => word.replace(/[.:]$/, ""));
  // An empty text can be an answer only if it is printed in quotes.
  return [...new Set([...quoted.map(unquoted), ...plain.filter((word) => word !== "")])];
}

function unquoted(word: string): string {
  return /^(["']).*\1$/s.test(word) ? word.slice(1, -1) : word.replace(/[.:]$/, "");
}
