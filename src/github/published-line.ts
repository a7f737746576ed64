import { normalisedText } from "./normalised-text.ts";
import { type Markdown } from "./published-markdown.ts";

/** A part of a line: a word without white space, or text that the author wrote between backticks. */
interface Piece {
  type: "words" | "code";
  text: string;
}

/** One or two backticks around text without backticks. A longer run of backticks is not treated as inline code. */
const CODE_SPAN = /(?<!`)(`{1,2})([^`]+)\1(?!`)/g;

/**
 * Text that GitHub or a program that reads comments acts on: mentions and mail addresses, formulas, addresses of any
 * scheme, references to issues, advisories and commits, shortcodes (GitHub shows a picture for the `:100:` of `a.js:100:7`), and
 * commands such as `/close`.
 */
const ACTIVE =
  /[@$]|#\d|:\/\/|:[\w+-]+:|www\.|(?<![a-z\d])(?:mailto|xmpp|javascript|vbscript|data|file|tel|sms):\S|(?<![a-z\d])(?:GH-\d|CVE-|GHSA-)|(?<![a-z\d])[\da-f]{7,}(?![a-z\d])|^\/[a-z]/i;

/**
 * Returns one line of untrusted text as Markdown that shows the same characters and nothing else (S7, S24): all Markdown syntax
 * is escaped, and every word that GitHub would act on becomes a code span, in which GitHub does not act on it. Nothing is
 * omitted.
 */
export function lineAsMarkdown(line: string): Markdown {
  const words = piecesOf(line).map(writeGlued);
  return atLineStart(words.join(" ")) as Markdown;
}

/** Returns a short text as a code span. Backticks in it become apostrophes, so that nothing in it ends the span. */
export function codeSpan(text: string): Markdown {
  const shown = text.replaceAll("`", "'").replaceAll(/\s+/g, " ").trim();
  return (shown === "" ? "(none)" : `\`${shown}\``) as Markdown;
}

/** Returns the pieces between white space; pieces that touch each other are in one list. */
function piecesOf(line: string): Piece[][] {
  const glued: Piece[][] = [];
  let isApart = true;
  const add = (piece: Piece): void => {
    if (isApart) glued.push([]);
    glued.at(-1)?.push(piece);
    isApart = false;
  };
  const addWords = (text: string): void => {
    for (const word of text.split(/(\s+)/)) {
      if (word.trim() !== "") add({ type: "words", text: word });
      else if (word !== "") isApart = true;
    }
  };
  let end = 0;
  for (const { 0: source, 2: code = "", index } of line.matchAll(CODE_SPAN)) {
    addWords(line.slice(end, index));
    if (code.trim() === "") addWords(source);
    else add({ type: "code", text: code });
    end = index + source.length;
  }
  addWords(line.slice(end));
  return glued;
}

/**
 * Returns pieces that touch each other as Markdown. If one of them is an active word, they all become one code span, because the
 * backticks of two adjacent spans would merge.
 */
function writeGlued(pieces: readonly Piece[]): string {
  const isActive = pieces.some(({ type, text }) => type === "words" && isActiveWord(text));
  if (isActive) return activeWord(pieces.map(({ text }) => text).join(""));
  return pieces.map(({ type, text }) => (type === "code" ? codeSpan(text) : escaped(text))).join("");
}

/**
 * Returns the word as a code span that excludes the punctuation around it: `(#12),` becomes `(`, the code span `#12`, and `),`.
 */
function activeWord(word: string): string {
  const start = /^[("'[{]*/.exec(word)?.[0].length ?? 0;
  let end = word.length;
  while (end > start && `)"']},.;:!?`.includes(word[end - 1] ?? "")) end -= 1;
  return start === end
    ? codeSpan(word)
    : escaped(word.slice(0, start)) + codeSpan(word.slice(start, end)) + escaped(word.slice(end));
}

/** Returns whether GitHub would act on a word. Full-width and small forms of a character count as the character. */
function isActiveWord(word: string): boolean {
  return ACTIVE.test(word) || ACTIVE.test(normalisedText(word, "NFKC"));
}

/**
 * Returns the word with the characters escaped that Markdown interprets inside a line. A backtick becomes an entity, because a
 * backslash does not break a run of backticks.
 */
function escaped(word: string): string {
  return word
    .replaceAll(/[\\*[\]<~|]|&(?=[#a-z])|(?<![A-Za-z\d])_|_(?![A-Za-z\d])/gi, String.raw`\$&`)
    .replaceAll("`", "&#96;");
}

/**
 * Returns the line with its first character escaped if it opens a heading, a list, a rule, a table or a quote, which it does only
 * at the start of a line.
 */
function atLineStart(markdown: string): string {
  if (markdown.startsWith("&#96;")) return markdown;
  return markdown.replace(/^(\d{1,9})(?=[.)])/, "$1\\").replace(/^(?=[!-/:-@^{}])/, "\\");
}
