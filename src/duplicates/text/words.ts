import { stemmer } from "stemmer";

const STOP_WORDS = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its just " +
    "me my no not of on or our she should so some such than that the their them then there these they this to too us was we were " +
    "what when where which while who why will with would you your"
  ).split(" "),
);
const MAX_WORD_CHARACTERS = 40;
const WORD = /[\p{L}\p{N}_$]+(?:[.-][\p{L}\p{N}_]+)*/gu;
/** Matches the positions at which an identifier such as `parseURLPath` or `file-name.js` is split. */
const SEAM = /[._$-]+|(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/**
 * Returns the index terms of a text: stemmed lower-case words without stop words. An identifier yields its parts and, with a
 * leading `=`, itself, so that both `parseUrl` and "parse url" find it.
 */
export function wordsOf(text: string): string[] {
  const found: string[] = [];
  for (const [word] of text.normalize("NFKC").matchAll(WORD)) {
    const parts = word.split(SEAM).filter((part) => part !== "");
    if (parts.length > 1 && word.length <= MAX_WORD_CHARACTERS) found.push(`=${word.toLowerCase()}`);
    for (const part of parts) {
      const lower = part.toLowerCase();
      if (lower.length <= MAX_WORD_CHARACTERS && !STOP_WORDS.has(lower)) found.push(stemmer(lower));
    }
  }
  return found;
}

/** Returns how a text spells its index terms: the first spelling of each, in lower case. */
export function spelledWords(text: string): Map<string, string> {
  const spelled = new Map<string, string>();
  for (const [word] of text.normalize("NFKC").matchAll(WORD)) {
    if (word.length > MAX_WORD_CHARACTERS) continue;
    const lower = word.toLowerCase();
    for (const term of wordsOf(word))
      if (!spelled.has(term)) spelled.set(term, term.startsWith("=") ? lower : spellingOf(term, word));
  }
  return spelled;
}

/** Returns the part of a word from which a term was made. */
function spellingOf(term: string, word: string): string {
  const parts = word.split(SEAM).map((part) => part.toLowerCase());
  return parts.find((part) => part !== "" && stemmer(part) === term) ?? term;
}

/** Returns how often each word occurs. */
export function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
