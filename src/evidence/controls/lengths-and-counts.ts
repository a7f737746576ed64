/** Matches a pattern whose matches a script counts. */
const COUNTED_MATCHES = /\.match(?:All)?\(\/((?:[\w\s<>"'=:;,!&#@%~-]|\\\W){1,40})\/\w{0,3}g\w{0,3}/g;
/** Matches a text that a script counts, by filtering characters or elements or by splitting at the text. */
const COUNTED_TEXTS =
  /(?:\.filter\(\s*\(?\w+\)?\s*=>\s*\w+\s*===?\s*|\.split\()(["'])((?:(?!\1)[^\\\n]|\\.){1,20})\1/g;
/** Matches a text at which a script splits an answer whose parts it counts. */
const COUNTED_PARTS = /\.split\(("[^"\n]{1,20}"|'[^'\n]{1,20}')\)[^;\n]{0,60}?\.length\b/g;
const LENGTH_IN_SHELL =
  /\$\{#\w+\}"?\s*(?:-(eq|ne|lt|le|gt|ge)|([!=]?=))\s*"?(\d{1,5})\b|\bwc\s+-([clm])\b[^\n;]{0,80}?\s(?:-(eq|ne|lt|le|gt|ge)|([!=]?=))\s*"?(\d{1,5})\b/g;
/** Matches a shell that counts lines or words, after `tr` has changed a character into line ends. */
const COUNT_IN_SHELL =
  /(?:\btr\s+(?:"([^"\\])"|'([^'\\])'|([^\s"'\\]))\s+["']?\\+n["']?\s*\|\s*)?\b(?:grep\s+(?:-\w+\s+)*-\w*c\w*\s+(?:"([^"\n]{1,40})"|'([^'\n]{1,40})'|([\w.]+))|wc\s+-([lw]))/g;
/** Matches the number with which a shell compares a count. */
const NUMBER_IN_SHELL = /\s(?:-(eq|ne|lt|le|gt|ge)|[!=]?=)\s+"?(\d{1,2})\b/g;
const OPERATORS: Readonly<Record<string, string>> = { lt: "<", le: "<=", gt: ">", ge: ">=" };

/** Matches a number that is assigned to a variable named as expected. */
const EXPECTED_NUMBER = /(?<![\w$.])(?:want|expect|should|correct)\w*\s*=\s*(\d{1,5})(?![\w.])/gi;

/**
 * Returns expressions for texts and lists of the lengths that a script compares with, and for texts that contain a part as often as
 * the script expects.
 */
export function lengthsAndCounts(script: string): string[] {
  const lengths = [...script.matchAll(/\.length\s*([!=]==?|[<>]=?)\s*(\d{1,5})\b/g)].flatMap(
    ([, operator = "", number]) => lengthsBeside(operator, Number(number)),
  );
  if (/\.length\b(?!\s*[!=<>])/.test(script))
    lengths.push(...[...script.matchAll(EXPECTED_NUMBER)].map((match) => Number(match[1])));
  const separators = [...script.matchAll(COUNTED_PARTS)].slice(0, 1).map(([, separator = ""]) => separator);
  return [
    ...lengths.flatMap((length) => [`"q".repeat(${length})`, `new Array(${length}).fill("q")`]),
    ...byteLengths(script).map((length) => `Buffer.alloc(${length}, 113)`),
    ...lengths.flatMap((length) => separators.map((one) => `new Array(${length}).fill("q").join(${one})`)),
    ...inShell(script),
    ...countedInShell(script),
    ...countedIn(script),
  ];
}

/** Returns the numbers with which a script compares a number of bytes, also one in a variable. */
function byteLengths(script: string): number[] {
  if (!/\.byteLength\b/.test(script)) return [];
  const numbers = [...script.matchAll(/[!=]==?\s*(\d{1,4})\b/g)].map((match) => Number(match[1]));
  return [...new Set(numbers)].filter((number) => number > 0).slice(0, 2);
}

/**
 * Returns the lengths at which a comparison changes its result. A bound (such as `>`) never yields the length zero, because an
 * empty answer would satisfy a script that takes every answer for the bug.
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

/** Returns texts with as many lines or words as a shell expects: `tr _ '\\n' | grep -c .`. */
function countedInShell(script: string): string[] {
  const all = [...script.matchAll(NUMBER_IN_SHELL)].flatMap(([, named = "", number]) =>
    lengthsBeside(OPERATORS[named] ?? "=", Number(number)),
  );
  const numbers = [...new Set(all)].slice(0, 2);
  const counts = [...script.matchAll(COUNT_IN_SHELL)].slice(0, 2);
  return counts.flatMap(([, ...groups]) => {
    const unit = groups[6];
    const split = groups.slice(0, 3).find((one) => one !== undefined);
    const searched = groups.slice(3, 6).find((one) => one !== undefined) ?? "q";
    const line = /^[\w ]+$/.test(searched) ? searched : "q";
    const between = split ?? (unit === "w" ? " " : "\n");
    return numbers.map(
      (count) => `Array(${count}).fill(${JSON.stringify(line)}).join(${JSON.stringify(between)})`,
    );
  });
}

/** Returns texts that contain a part as often as a script expects: `x.match(/ab/g).length === 2`. */
function countedIn(script: string): string[] {
  const patterns = [...script.matchAll(COUNTED_MATCHES)].map(([, pattern = ""]) => pattern);
  const all = [...script.matchAll(/[!=]==?\s*(\d{1,2})\b/g)].map((match) => Number(match[1]));
  const counts = [...new Set(all)].slice(0, 2);
  const parts = [...script.matchAll(COUNTED_PARTS)].slice(0, 1).map(([, separator = ""]) => separator);
  // A text in quotes keeps its escape sequences, because the expression is source text as well.
  const repeated = [
    ...patterns.map(
      (pattern) => (count: number) => JSON.stringify(pattern.replaceAll("\\", "").repeat(count)),
    ),
    ...[...script.matchAll(COUNTED_TEXTS)].map(
      ([, quote = "", text = ""]) =>
        (count: number) =>
          quote + text.repeat(count) + quote,
    ),
  ];
  return [
    ...parts.flatMap((separator) =>
      counts.map((count) => `new Array(${count}).fill("q").join(${separator})`),
    ),
    ...repeated.slice(0, 2).flatMap((make) => counts.map(make)),
  ];
}
