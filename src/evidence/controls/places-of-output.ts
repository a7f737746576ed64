const MAX_PLACES = 60;
const MAX_WORDS = 40;
/** The lines of one place: an answer and the expected value often stand below each other. */
const LINES = 3;
const WANTED =
  /(?:\b(?:expect(?:ed)?|want(?:ed)?|should (?:be|have been|equal)|instead of)["']?\s?[:=]?|[!=]==?|^\s*-)\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,;()]+)/gim;

/**
 * Returns the places of a script's output where an answer may stand beside a value that is named as expected, as expressions of
 * `{ words, wanted }`; first those whose first line holds the claimed text.
 */
export function placesOf(output: string, claimed: string): string[] {
  const lines = output.split("\n").map((line) => line.slice(0, 400));
  const isClaimed = (line: string): boolean => claimed !== "" && line.includes(claimed);
  const numbers = lines.flatMap((line, index) => (isClaimed(line) ? [index] : []));
  return [...new Set([...numbers, ...lines.keys()].slice(0, MAX_PLACES))].flatMap((number) => {
    const text = lines.slice(number, number + LINES).join("\n");
    const words = wordsOf(text).slice(0, MAX_WORDS);
    const wanted = [...text.matchAll(WANTED)].map((match) => unquoted(match[1] ?? ""));
    return wanted.length === 0 ? [] : [JSON.stringify({ words, wanted })];
  });
}

function wordsOf(text: string): string[] {
  const quoted = text.match(/"(?:[^"\\\n]|\\.)+"|'(?:[^'\\\n]|\\.)+'/g) ?? [];
  const plain = text.split(/[\s=,;()[\]{}"']+/).map((word) => word.replace(/[.:]$/, ""));
  return [...new Set([...quoted.map(unquoted), ...plain])].filter((word) => word !== "");
}

function unquoted(word: string): string {
  return /^(["']).*\1$/s.test(word) ? word.slice(1, -1) : word.replace(/[.:]$/, "");
}
