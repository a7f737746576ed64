/** A string, a number or a word for a value, in JavaScript or Python. */
export const LITERAL =
  /"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\\\n]|\\.){0,200}'|`[^`$\\]{0,200}`|(?<![\w.$])-?\d+(?:\.\d+)?(?![\w.])|\b(?:null|undefined|true|false|NaN|Infinity|None|True|False)\b/g;

/** A value that a function without side effects builds from literals. */
export const BUILT =
  /(?:new (?:Date|Map|Set|Array|RegExp)|BigInt|Symbol\.for|Buffer\.from|Object\.create)\((?:[\d\s.,[\]-]|null|"[^"\n]*"|'[^'\n]*')*\)/;

/** The list of a shell's loop; one of Python has brackets or a name. */
const SHELL_LOOP = /\bfor\s+\w+\s+in\s+([^;\n()[\]{}]{1,600})(?=[;\n])/g;

/** The number of data of a script in which the arguments of a call are looked for. */
const MAX_DATA = 120;
const MAX_LENGTH = 300;

/** A part of a script's text that stands for a value. */
interface Datum {
  expression: string;
  index: number;
}

/** Returns the literals, the `[…]` and `{…}` of data and the words of shell loops in a script, in the order of its text. */
export function dataIn(text: string): string[] {
  // A word of a shell loop can look like several literals.
  const words = text.replaceAll(SHELL_LOOP, (loop) => " ".repeat(loop.length));
  const literal = [...words.matchAll(LITERAL)].map(({ 0: expression, index }): Datum => ({
    expression,
    index,
  }));
  return [...literal, ...bracketsIn(words), ...shellWords(text)]
    .toSorted((a, b) => a.index - b.index)
    .slice(0, MAX_DATA)
    .map(({ expression }) => expression);
}

/** Returns the words of the lists of shell loops; a table of cases has both sides of `in=want`. */
function shellWords(text: string): Datum[] {
  return [...text.matchAll(SHELL_LOOP)].flatMap((loop) => {
    const [whole, list = ""] = loop;
    const from = loop.index + whole.length - list.length;
    return [...list.matchAll(/[^\s=,|"']+/g)].map((word): Datum => ({
      expression: JSON.stringify(word[0]),
      index: from + word.index,
    }));
  });
}

/** Returns the properties, and the elements by number, that a script compares with literals: `{ "a": 1, "0": "x" }`. */
export function comparedFields(text: string): Map<string, string> {
  const literal = String.raw`(${LITERAL.source})`;
  const name = String.raw`(?:\.([a-zA-Z_$][\w$]*)|\[(\d{1,2})\])`;
  const found = new Map<string, string>();
  for (const after of [
    String.raw`\s*[!=]==?\s*`,
    String.raw`\s*,\s*`,
    String.raw`\s*\)\s*\.(?:not\.)?(?:to\w*|is|equals?)\(\s*`,
  ])
    for (const [, word, index, value = ""] of text.matchAll(new RegExp(name + after + literal, "g"))) {
      const field = word ?? index ?? "";
      if (!found.has(field)) found.set(field, value);
    }
  return found;
}

/** Returns the properties with literals in an object that a script expects, at any depth. */
export function fieldsIn(expression: string): Map<string, string> {
  const pairs = new RegExp(
    String.raw`(?:([a-zA-Z_$][\w$]*)|["']([^"'\n]+)["'])\s*:\s*(${LITERAL.source})`,
    "g",
  );
  return new Map(
    [...expression.matchAll(pairs)].map(([, name, quoted, value = ""]) => [name ?? quoted ?? "", value]),
  );
}

/** Returns the words with which a shell compares: of `[ … ]` and `test`, of `grep`, and the patterns of `case`. */
export function comparedInShell(text: string): string[] {
  const words = [
    ...text.matchAll(/\[\[?\s[^\]\n]{0,200}?\s(?:=|==|!=|-eq|-ne)\s+([\w.:/@+-]+)\s+\]/g),
    ...text.matchAll(
      /(?:^|[\n;&|!({]|\b(?:if|while|until|then|do))[ \t]{0,40}test\s[^\n;&|]{0,200}?\s(?:=|==|!=|-eq|-ne)\s+([\w.:/@+-]+)/g,
    ),
    ...text.matchAll(/grep\s+(?:-\w+\s+)*([\w.:/@+-]+)/g),
  ].map((match) => match[1] ?? "");
  const patterns = [...text.matchAll(/\bcase\s[^\n;]{1,80}\sin\b([\s\S]{1,400}?)\besac\b/g)].flatMap(
    (match) =>
      [...(match[1] ?? "").matchAll(/(?:^|\n|;;)\s*\(?([\w.:/@+|-]+)\)/g)].flatMap((one) =>
        (one[1] ?? "").split("|"),
      ),
  );
  return [...words, ...patterns];
}

/** Returns the texts of the character codes, in any notation, that stand in a script that reads codes. */
export function charactersIn(text: string): string[] {
  if (!/codePointAt|charCodeAt/.test(text)) return [];
  const sequences = [
    ...text.matchAll(/["'=]\s?([0-9a-f]{2,}(?:[ ,-][0-9a-f]{2,})*)["'\s\]]/gi),
    ...text.matchAll(/\b0x([0-9a-f]{2,6})\b/gi),
  ].map((match) => (match[1] ?? "").split(/[ ,-]/).map((code) => Number.parseInt(code, 16)));
  const numbers = [...text.matchAll(/[!=]==?\s*(\d{2,7})\b/g)].map((match) => [Number(match[1])]);
  return [...sequences, ...numbers]
    .filter((codes) => codes.every((code) => code <= 0x10_ff_ff))
    .map((codes) => JSON.stringify(String.fromCodePoint(...codes)));
}

/** Returns balanced `[…]` and `{…}` that contain only data. */
export function bracketsIn(text: string): Datum[] {
  return [...text.matchAll(/[[{]/g)].flatMap(({ index }) => {
    const before = text.slice(Math.max(0, index - 40), index);
    const expression = /[=(,:]\s*$|return\s+$/.test(before) ? balanced(text, index) : null;
    const plain = expression?.replaceAll(new RegExp(BUILT.source, "g"), "");
    const isData = plain !== undefined && !/[;()]|=>|\bfunction\b/.test(plain);
    return expression !== null && isData ? [{ expression, index }] : [];
  });
}

function balanced(text: string, from: number): string | null {
  let depth = 0;
  for (let at = from; at < Math.min(text.length, from + MAX_LENGTH); at += 1) {
    const character = text[at] ?? "";
    if ("[{".includes(character)) depth += 1;
    if ("]}".includes(character)) depth -= 1;
    if (depth === 0) return text.slice(from, at + 1);
  }
  return null;
}
