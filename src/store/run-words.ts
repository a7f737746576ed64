import { z } from "zod";
import type { Database } from "./database.ts";

/** A table of the search index's terms, in their order. */
export const addRunWords = "CREATE VIRTUAL TABLE run_words USING fts5vocab(run_text, instance);";

const MAX_WORDS = 12;
/** If more terms than this have the same beginning, the query searches for the beginning instead. */
const MAX_TERMS = 8;

const termRow = z.object({ term: z.string() });

/**
 * Returns the query for FTS5 that finds runs with all words of a text, each of which may be the beginning of a word; null when
 * the text has no word. Every word is quoted, so that no character of it is an operator.
 */
export function matchOf(database: Database, text: string): string | null {
  const words = text
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .slice(0, MAX_WORDS);
  if (words.length === 0) return null;
  return words.map((word) => anyOf(termsOf(database, word)) ?? `"${word}"*`).join(" AND ");
}

function anyOf(terms: readonly string[] | null): string | null {
  if (terms === null || terms.length === 0) return null;
  return `(${terms.map((term) => `"${term}"`).join(" OR ")})`;
}

/**
 * Returns the terms that begin with a word, if they are few. FTS5 reads whole terms only as far as a page needs, but for a prefix
 * it first merges all runs that match. Returns null if there are too many terms, or if the index may not spell the word simply in
 * lower case.
 */
function termsOf(database: Database, word: string): string[] | null {
  if (!/^[a-z0-9]+$/i.test(word)) return null;
  const beginning = word.toLowerCase();
  const terms: string[] = [];
  for (let from = beginning; terms.length <= MAX_TERMS;) {
    const rows = database.all("SELECT term FROM run_words WHERE term >= ? LIMIT 1", from);
    const term = z.array(termRow).parse(rows)[0]?.term;
    if (term === undefined || !term.startsWith(beginning)) return terms;
    terms.push(term);
    // No term contains a space, which is before every character of a term.
    from = `${term} `;
  }
  return null;
}
