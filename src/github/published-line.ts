import { type Markdown } from "./published-markdown.ts";

/** A stretch of a line without white space: words, or what its author wrote between backticks. */
interface Piece {
  type: "words" | "code";
  text: string;
}

/** One or two backticks around what holds none. A longer run of backticks is not read as inline code. */
const CODE_SPAN = /(?<!`)(`{1,2})([^`]+)\1(?!`)/g;

/**
 * Text that GitHub or a program that reads comments acts on: mentions and mail addresses, formulas, addresses of any
 * scheme, references to issues, advisories and commits, and commands such as `/close`.
 */
const ACTIVE =
  /[@$]|#\d|:\/\/|www\.|(?<![a-z\d])(?:mailto|xmpp|javascript|vbscript|data|file|tel|sms):\S|(?<![a-z\d])(?:GH-\d|CVE-|GHSA-)|(?<![a-z\d])[\da-f]{7,}(?![a-z\d])|^\/[a-z]/i;

/**
 * One line of foreign text as Markdown that shows the same characters and nothing else (S7, S24): every sign of Markdown is
 * escaped, and every word that GitHub would act on becomes a code span, where GitHub leaves it alone. Nothing is left out.
 */
export function lineAsMarkdown(line: string): Markdown {
  const words = piecesOf(line).map(writeGlued);
  return atLineStart(words.join(" ")) as Markdown;
}

/** One short text as a code span. Backticks in it become apostrophes, so that nothing ends the span. */
export function codeSpan(text: string): Markdown {
  const shown = text.replaceAll("`", "'").replaceAll(/\s+/g, " ").trim();
  return (shown === "" ? "(none)" : `\`${shown}\``) as Markdown;
}

/** Pieces between white space; those that touch each other stand in one list. */
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

/** With one active word among them they become one code span: two spans side by side would join their backticks. */
function writeGlued(pieces: readonly Piece[]): string {
  const isActive = pieces.some(({ type, text }) => type === "words" && isActiveWord(text));
  if (isActive) return activeWord(pieces.map(({ text }) => text).join(""));
  return pieces.map(({ type, text }) => (type === "code" ? codeSpan(text) : escaped(text))).join("");
}

/** A code span without the punctuation around it, where what is left outside is not active: `(#12),` is `(`, `#12`, `),`. */
function activeWord(word: string): string {
  const start = /^[("'[{]*/.exec(word)?.[0].length ?? 0;
  let end = word.length;
  while (end > start && `)"']},.;:!?`.includes(word[end - 1] ?? "")) end -= 1;
  return start === end
    ? codeSpan(word)
    : escaped(word.slice(0, start)) + codeSpan(word.slice(start, end)) + escaped(word.slice(end));
}

/** Full-width and small forms of a sign count as the sign. */
function isActiveWord(word: string): boolean {
  return ACTIVE.test(word) || ACTIVE.test(word.normalize("NFKC"));
}

/** The signs that Markdown reads inside a line. An entity for the backtick, whose runs a backslash does not part. */
function escaped(word: string): string {
  return word
    .replaceAll(/[\\*[\]<~|]|&(?=[#a-z])|(?<![A-Za-z\d])_|_(?![A-Za-z\d])/gi, String.raw`\$&`)
    .replaceAll("`", "&#96;");
}

/** Signs that open a heading, a list, a rule, a table or a quote do so at the start of a line only. */
function atLineStart(markdown: string): string {
  if (markdown.startsWith("&#96;")) return markdown;
  return markdown.replace(/^(\d{1,9})(?=[.)])/, "$1\\").replace(/^(?=[!-/:-@^{}])/, "\\");
}
