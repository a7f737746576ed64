import { shellWords } from "./shell-words.ts";

/** Matches a script that runs a text as code. */
export const RUNS_TEXT = /\beval\(|\bnew Function\(|\brunIn\w*Context\(/;
/** Matches words of a script that repeats something for each of its data. */
export const REPEATS = /\b(?:for|while|forEach|map|every|some|filter|find|each|xargs)\b/;
/** A string, a number or a word for a value, in JavaScript or Python. */
export const LITERAL =
  /"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\\\n]|\\.){0,200}'|`[^`$\\]{0,200}`|(?<![\w.$])-?(?:\d+(?:\.\d+)?|\.\d+)(?![\w.])|(?<![\w.$])-Infinity\b|\b(?:null|undefined|true|false|NaN|Infinity|None|True|False)\b/g;

/** A value that a function without side effects builds from literals. */
export const BUILT =
  /(?:new (?:Date|Map|Set|Array|RegExp|Uint8Array|URL|(?:Type|Range|Syntax)?Error)|BigInt|Symbol\.for|Buffer\.from|Object\.create)\((?:[\d\s.,[\]-]|null|"[^"\n]*"|'[^'\n]*')*\)/;

/** A lookbehind that excludes comparisons of `typeof`, in which the literal is the name of a type. */
export const NOT_A_TYPE = String.raw`(?<!\btypeof\s+[\w$.()[\]]{0,80})`;

/** Matches a variable that a script compares with a literal. */
const COMPARED_VARIABLE = new RegExp(
  String.raw`(?<![\w.$])([a-zA-Z_$][\w$]*)\s*[!=]==?\s*(${LITERAL.source})`,
  "g",
);
/** Matches variables that take properties out of an object by their names. */
const DESTRUCTURED = /\b(?:const|let|var)\s*\{([^{}()=]{1,200})\}\s*=/g;

/** The maximum number of data of a script among which the arguments of a call are searched for. */
const MAX_DATA = 120;
const MAX_LENGTH = 300;

/** A value that is written in a script's text, and its position. */
interface Datum {
  expression: string;
  index: number;
}

/**
 * Returns the data of a script's text, in order: its literals, the literals inside JSON texts, the lists and objects that contain
 * only data, and the words that a shell lists.
 */
export function dataIn(text: string): string[] {
  const { words, rest } = shellWords(text);
  const literal = literalsIn(rest);
  const inJson = literal.flatMap(({ expression, index }) =>
    jsonIn(expression) === null ? [] : literalsIn(expression.slice(1, -1), index + 1),
  );
  return [
    ...literal,
    ...inJson,
    ...bracketsIn(rest),
    ...words.map(({ word, index }) => ({ expression: JSON.stringify(word), index })),
  ]
    .toSorted((a, b) => a.index - b.index)
    .slice(0, MAX_DATA)
    .map(({ expression }) => expression);
}

/** A pattern of the beginnings of names that say that a variable contains the expected value. */
export const EXPECTED_NAME = "(?:want|expect|should|correct|right|good|soll|erwart|attend|esper)";

/** Matches the beginning of an assignment to a variable whose name says that it contains the expected value. */
const EXPECTED = new RegExp(String.raw`(?<![\w$.])${EXPECTED_NAME}\w*\s*=\s*$`, "i");

/** Returns the literals, lists and objects that a script assigns to variables named as expected. */
export function assignedAsExpected(text: string): Set<string> {
  const assigned = [...literalsIn(text), ...bracketsIn(text)].filter(({ index }) =>
    EXPECTED.test(text.slice(Math.max(0, index - 60), index)),
  );
  return new Set(assigned.map(({ expression }) => expression));
}

function literalsIn(text: string, from = 0): Datum[] {
  return [...text.matchAll(LITERAL)].map(({ 0: expression, index }) => ({ expression, index: from + index }));
}

/** Returns the list or object that a string literal contains as JSON; null: it contains none. */
function jsonIn(literal: string): string | null {
  const text = /^(["'`])\s*([[{][^]*[\]}])\s*\1$/.exec(literal)?.[2]?.replaceAll('\\"', '"');
  if (text === undefined) return null;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return null;
  }
}

/**
 * Returns the lists and objects that string literals contain as JSON, because a script may compare the text of an answer with them.
 */
export function jsonTextsIn(text: string): Datum[] {
  return literalsIn(text).flatMap(({ expression: literal, index }) => {
    const expression = jsonIn(literal);
    return expression === null ? [] : [{ expression, index }];
  });
}

/**
 * Returns the properties, and the list elements by index, that a script compares with literals or with variables that contain a
 * literal: `{ "a": 1, "0": "x" }`.
 */
export function comparedFields(text: string): Map<string, string> {
  const variables = literalsOfVariables(text);
  const properties = propertiesOfVariables(text);
  const literal = String.raw`(${LITERAL.source}|\b[a-zA-Z_$][\w$]*\b(?![.([]))`;
  const name = String.raw`(?:\.([a-zA-Z_$][\w$]*)|\[(?:(\d{1,2})|"([^"\n]{1,40})"|'([^'\n]{1,40})')\])`;
  const found = new Map<string, string>();
  for (const after of [
    String.raw`\s*[!=]==?\s*`,
    String.raw`\s*,\s*`,
    String.raw`\s*\)\s*\.(?:not\.)?(?:to\w*|is|equals?)\(\s*`,
  ])
    for (const [, word, index, double, single, value = ""] of text.matchAll(
      new RegExp(NOT_A_TYPE + name + after + literal, "g"),
    )) {
      const field = word ?? index ?? double ?? single ?? "";
      const known = new RegExp(`^(?:${LITERAL.source})$`).test(value) ? value : variables.get(value);
      if (known !== undefined && !found.has(field)) found.set(field, known);
    }
  for (const [, variable = "", value = ""] of text.matchAll(COMPARED_VARIABLE)) {
    const field = properties.get(variable);
    if (field !== undefined && !found.has(field)) found.set(field, value);
  }
  return found;
}

/** Returns the property that each variable holds: `const { a, "--b": c } = f()`. */
function propertiesOfVariables(text: string): Map<string, string> {
  const parts = [...text.matchAll(DESTRUCTURED)].flatMap(([, inside = ""]) => inside.split(","));
  return new Map(
    parts.flatMap((part): [string, string][] => {
      const [, quoted, name = "", variable] =
        /^\s*(?:(["'])?([^"'\s:]+)\1)\s*(?::\s*([a-zA-Z_$][\w$]*)\s*)?$/.exec(part) ?? [];
      const held = variable ?? (quoted === undefined ? name : "");
      return held === "" ? [] : [[held, name]];
    }),
  );
}

function literalsOfVariables(text: string): Map<string, string> {
  const named = new RegExp(
    String.raw`\b(?:const|let|var)\s+([a-zA-Z_$][\w$]*)\s*=\s*(${LITERAL.source})\s*(?:;|\n)`,
    "g",
  );
  return new Map([...text.matchAll(named)].map(([, name = "", value = ""]) => [name, value]));
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

/** Returns the texts of the character codes in a script that reads character codes. The codes may be in any notation. */
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
    const isData = plain !== undefined && !/[;()]|=>|\bfunction\b|\.\.\.[\w$]/.test(plain);
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
