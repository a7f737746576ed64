/** Matches the list of a shell's loop. The list of a Python loop does not match: it has brackets or is a name. */
const LOOP = /\bfor\s+\w+\s+in\s+([^;\n()[\]{}]{1,600})(?=[;\n])/dg;
/** Matches the words that a shell prints for another program to read. */
const PRINTED = /\b(?:echo|printf)\s+([^\n;|&<>()]{1,600})(?=\|)/dg;
/** Matches words in quotes, which are literals. */
const QUOTED = /"[^"]*"|'[^']*'/g;
/** Matches a here-document of rows that a shell reads. Its mark is not quoted. */
const ROWS = /<<-?\s*(\w+)[^\n]*\n([^"'`()[\]{}]{1,4000}?)\n\s*\1\b/dg;
/** The separators of the columns of a row. The first one that occurs in every row is used. */
const SEPARATORS = [/\s*\|\s*/, /\t+/, /\s*[=-]>\s*/, /\s*;\s*/, /\s*,\s*/, /\s*=\s*/, /\s+/];

/** A word without quotes in a script's text, and its position. */
export interface ShellWord {
  word: string;
  index: number;
}

/**
 * Returns the words that a shell lists in a loop, for another program to read, or in a table of cases; and the text with blanks in
 * place of these words, because a word can look like several literals.
 */
export function shellWords(text: string): { words: ShellWord[]; rest: string } {
  const inLoops = wordsOf(text, LOOP, (list) => wordsIn(list, /[^\s=,|"']+/g));
  const printed = wordsOf(text, PRINTED, (list) => wordsIn(unquoted(list), /[^\s"'`$\\]+/g));
  const words = [...printed, ...wordsOf(text, ROWS, cellsOf)];
  let rest = text.replaceAll(LOOP, blank);
  for (const { word, index } of words)
    rest = rest.slice(0, index) + blank(word) + rest.slice(index + word.length);
  return { words: [...inLoops, ...words], rest };
}

const blank = (text: string): string => " ".repeat(text.length);
const unquoted = (list: string): string => list.replaceAll(QUOTED, blank);

/** Returns the words that `read` finds in the last group of each match. */
function wordsOf(text: string, pattern: RegExp, read: (list: string) => ShellWord[]): ShellWord[] {
  return [...text.matchAll(pattern)].flatMap((found) => {
    const [from = 0, to = 0] = found.indices?.at(-1) ?? [];
    return read(text.slice(from, to)).map(({ word, index }) => ({ word, index: from + index }));
  });
}

function wordsIn(list: string, pattern: RegExp): ShellWord[] {
  return [...list.matchAll(pattern)].map(({ 0: word, index }) => ({ word, index }));
}

function cellsOf(body: string): ShellWord[] {
  const rows = body.split("\n");
  const separator = SEPARATORS.find((one) => rows.every((row) => one.test(row.trim())));
  if (separator === undefined) return [];
  let at = 0;
  return rows
    .flatMap((row) => row.trim().split(separator))
    .map((word) => {
      const index = body.indexOf(word, at);
      at = index + word.length;
      return { word, index };
    });
}
