import { stemmer } from "stemmer";
import { normalisedText } from "../../github/index.ts";

const STOP_WORDS = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its just " +
    "me my no not of on or our she should so some such than that the their them then there these they this to too us was we were " +
    "what when where which while who why will with would you your"
  ).split(" "),
);
const MAX_WORD_CHARACTERS = 40;
const WORD = /[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$]*(?:[.-][\p{L}\p{M}\p{N}_]+)*/gu;
/** Matches letters of the scripts that put no spaces between words. */
const UNSPACED =
  /(?:[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}](?<=[\p{L}\p{M}\p{N}]))+/gu;
/** Matches the positions at which an identifier such as `parseURLPath` or `file-name.js` is split. */
const SEAM = /[._$-]+|(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/**
 * Returns the index terms of a text: stemmed lower-case words without stop words. An identifier yields its parts and, with a
 * leading `=`, itself, so that both `parseUrl` and "parse url" find it. A stretch of a script without spaces yields its overlapping
 * pairs of characters, because finding its words would need a dictionary.
 */
export function wordsOf(text: string): string[] {
  return wordsIn(text).flatMap(termsOfWord);
}

/** Returns how a text spells its index terms: the first spelling of each, in lower case. */
export function spelledWords(text: string): Map<string, string> {
  const spelled = new Map<string, string>();
  for (const word of wordsIn(text)) {
    const lower = word.toLowerCase();
    for (const term of termsOfWord(word))
      if (!spelled.has(term)) spelled.set(term, term.startsWith("=") ? lower : spellingOf(term, word));
  }
  return spelled;
}

/** Returns the words of a text as they are written, and its stretches of scripts without spaces. */
function wordsIn(text: string): string[] {
  const spaced = normalisedText(text, "NFKC").replaceAll(UNSPACED, " $& ");
  return [...spaced.matchAll(WORD)].map(([word]) => word);
}

function termsOfWord(word: string): string[] {
  if (word.search(UNSPACED) === 0) return pairsOf(word);
  const terms: string[] = [];
  const parts = word.split(SEAM).filter((part) => part !== "");
  if (parts.length > 1 && word.length <= MAX_WORD_CHARACTERS) terms.push(`=${word.toLowerCase()}`);
  for (const part of parts) {
    const lower = part.toLowerCase();
    if (lower.length <= MAX_WORD_CHARACTERS && !STOP_WORDS.has(lower)) terms.push(stemmer(lower));
  }
  return terms;
}

/** Returns the overlapping pairs of characters; a single character is returned by itself. */
function pairsOf(stretch: string): string[] {
  const characters = Array.from(stretch);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at] ?? ""}${character}`);
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
