import { z } from "zod";
import type { Database } from "../store/index.ts";
import type { IssueTerms } from "./issue-terms.ts";
import type { Candidate, IndexTotals } from "./rank-candidates.ts";
import { rarity } from "./weights.ts";

/** Each search passes at most this many issues to the ranking. */
const OFFERED_BY_TEXT = 150;
const OFFERED_BY_TITLE = 150;
/** One search reads at most this many postings, which limits its time however common the words are. */
const MAX_POSTINGS = 10_000;
/**
 * One search uses at most this many words, because full-text search evaluates each word for every hit. More words found no more
 * duplicates on three trackers.
 */
const MAX_WORDS = 40;
/** A word that occurs in more than this share of the issues is ignored. */
const TOO_COMMON = 0.25;
/** In an index smaller than this, no word is too common. */
const SMALL_INDEX = 100;
// One JSON text replaces many bindings, so that a statement is prepared only once.
const KNOWN_WORDS = "SELECT id, term, issues FROM terms WHERE term IN (SELECT value FROM json_each(?))";
const WORDS_BY_ID = "SELECT id, term, issues FROM terms WHERE id IN (SELECT value FROM json_each(?))";
const ISSUES =
  "SELECT number, title, state, reporter, created_ms, title_length, body_length, title_weight, body_norm, vector FROM issues WHERE number IN (SELECT value FROM json_each(?))";

export type KnownWords = ReadonlyMap<string, { id: number; issues: number }>;

const termRow = z.object({ id: z.number(), term: z.string(), issues: z.number() });
const issueRow = z.object({
  number: z.number(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  reporter: z.number().nullable(),
  created_ms: z.number(),
  title_length: z.number(),
  body_length: z.number(),
  title_weight: z.number(),
  body_norm: z.number(),
  vector: z.instanceof(ArrayBuffer),
});
const hitRow = z.object({ number: z.number() });

/** Returns those words that are in the index, with their ids and numbers of issues. */
export function knownWords(
  database: Database,
  words: Iterable<string>,
): Map<string, { id: number; issues: number }> {
  const rows = database.all(KNOWN_WORDS, JSON.stringify([...words]));
  return new Map(rows.map((row) => termRow.parse(row)).map(({ id, term, issues }) => [term, { id, issues }]));
}

/** Returns the words with these ids. */
export function wordsById(database: Database, ids: readonly number[]): Map<number, string> {
  const rows = database.all(WORDS_BY_ID, JSON.stringify(ids));
  return new Map(rows.map((row) => termRow.parse(row)).map(({ id, term }) => [id, term]));
}

export interface Search {
  /** Only earlier issues, those with smaller numbers, are found. */
  number: number;
  terms: IssueTerms;
  known: KnownWords;
  totals: IndexTotals;
}

/**
 * Returns the hits of two full-text searches, one by title and body together and one by title alone, so that a long body does not
 * hide a matching title.
 */
export function findCandidates(database: Database, search: Search): Candidate[] {
  const byText = weighWords(
    search,
    (word) => (search.terms.title.get(word) ?? 0) * 2 + (search.terms.body.get(word) ?? 0),
  );
  const byTitle = weighWords(search, (word) => search.terms.title.get(word) ?? 0);
  const numbers = new Set([
    ...hits(database, byText, search.number, OFFERED_BY_TEXT),
    ...hits(database, byTitle, search.number, OFFERED_BY_TITLE),
  ]);
  const rows = database.all(ISSUES, JSON.stringify([...numbers]));
  return rows.map((row) => {
    const found = issueRow.parse(row);
    return {
      number: found.number,
      title: found.title,
      state: found.state,
      reporter: found.reporter,
      createdMs: found.created_ms,
      titleLength: found.title_length,
      bodyLength: found.body_length,
      titleWeight: found.title_weight,
      bodyNorm: found.body_norm,
      vector: new Uint32Array(found.vector),
    };
  });
}

/** Returns the most specific words first, as many as MAX_WORDS and MAX_POSTINGS permit. */
function weighWords({ known, totals }: Search, countOf: (word: string) => number): string[] {
  const limit = totals.issues < SMALL_INDEX ? totals.issues : totals.issues * TOO_COMMON;
  const telling = [...known]
    .filter(([word, { issues }]) => issues > 0 && issues <= limit && countOf(word) > 0)
    .map(([word, { issues }]) => {
      const count = countOf(word);
      return { word, issues, weight: rarity(issues, totals.issues) * ((count * 9) / (count + 8)) };
    })
    .toSorted((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
  let postings = 0;
  const chosen: string[] = [];
  for (const { word, issues } of telling) {
    if (chosen.length >= MAX_WORDS) break;
    if (postings + issues > MAX_POSTINGS && chosen.length > 0) continue;
    postings += issues;
    chosen.push(word);
  }
  return chosen;
}

function hits(database: Database, words: readonly string[], before: number, limit: number): number[] {
  if (words.length === 0) return [];
  const match = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" OR ");
  return database
    .all(
      "SELECT rowid AS number FROM words WHERE words MATCH ? AND rowid < ? ORDER BY bm25(words, 4.0, 1.0), rowid DESC LIMIT ?",
      match,
      before,
      limit,
    )
    .map((row) => hitRow.parse(row).number);
}
