/** A pattern whose matches a script counts. */
const COUNTED_MATCHES = /\.match(?:All)?\(\/((?:[\w\s<>"'=:;,!&#@%~-]|\\\W){1,40})\/\w{0,3}g\w{0,3}/g;
/** A text that a script counts: with a filter of characters or elements, or by splitting at it. */
const COUNTED_TEXTS =
  /(?:\.filter\(\s*\(?\w+\)?\s*=>\s*\w+\s*===?\s*|\.split\()(["'])((?:(?!\1)[^\\\n]|\\.){1,20})\1/g;
const LENGTH_IN_SHELL =
  /\$\{#\w+\}"?\s*(?:-(eq|ne|lt|le|gt|ge)|([!=]?=))\s*"?(\d{1,5})\b|\bwc\s+-([clm])\b[^\n;]{0,80}?\s(?:-(eq|ne|lt|le|gt|ge)|([!=]?=))\s*"?(\d{1,5})\b/g;
const OPERATORS: Readonly<Record<string, string>> = { lt: "<", le: "<=", gt: ">", ge: ">=" };

/** A number that a variable holds as the expected value. */
const EXPECTED_NUMBER = /(?<![\w$.])(?:want|expect|should|correct)\w*\s*=\s*(\d{1,5})(?![\w.])/gi;

/** Returns expressions of texts and lists with the lengths that a script compares with, and of texts as often as it counts them. */
export function lengthsAndCounts(script: string): string[] {
  const lengths = [...script.matchAll(/\.length\s*([!=]==?|[<>]=?)\s*(\d{1,5})\b/g)].flatMap(
    ([, operator = "", number]) => lengthsBeside(operator, Number(number)),
  );
  if (/\.length\b(?!\s*[!=<>])/.test(script))
    lengths.push(...[...script.matchAll(EXPECTED_NUMBER)].map((match) => Number(match[1])));
  return [
    ...lengths.flatMap((length) => [`"q".repeat(${length})`, `new Array(${length}).fill("q")`]),
    ...inShell(script),
    ...countedIn(script),
  ];
}

/**
 * Returns the lengths with which a comparison changes its result. A bound never gives the length zero: a script that takes every
 * answer for the bug would be satisfied by an empty one.
 */
function lengthsBeside(operator: string, number: number): number[] {
  const lengths: Record<string, number[]> = {
    "<=": [number, number + 1],
    ">": [number, number + 1],
    ">=": [number, number - 1],
  };
  const found = lengths[operator] ?? [number];
  return found.filter((length) => length > 0 || /^[!=]/.test(operator));
}

function inShell(script: string): string[] {
  return [...script.matchAll(LENGTH_IN_SHELL)].flatMap((match) => {
    const [, named, sign, number, unit, namedOfOutput, signOfOutput, numberOfOutput] = match;
    const operator = OPERATORS[named ?? namedOfOutput ?? ""] ?? sign ?? signOfOutput ?? "=";
    return lengthsBeside(operator, Number(number ?? numberOfOutput)).map((length) =>
      unit === "l" ? `Array(${length}).fill("q").join("\\n")` : `"q".repeat(${length})`,
    );
  });
}

/** Returns texts that hold a text as often as a script counts it: `x.match(/ab/g).length === 2`. */
function countedIn(script: string): string[] {
  const counted = [
    ...[...script.matchAll(COUNTED_MATCHES)].map(([, pattern = ""]) => pattern.replaceAll("\\", "")),
    ...[...script.matchAll(COUNTED_TEXTS)].map(([, , text = ""]) => text),
  ];
  const counts = [...script.matchAll(/[!=]==?\s*(\d{1,2})\b/g)].map((match) => Number(match[1]));
  return counted
    .slice(0, 2)
    .flatMap((text) => [...new Set(counts)].slice(0, 2).map((count) => JSON.stringify(text.repeat(count))));
}
