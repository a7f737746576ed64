import { z } from "zod";
import type { Database } from "../store/index.ts";
import type { IssueTerms } from "./issue-terms.ts";
import type { Candidate, IndexTotals } from "./rank-candidates.ts";
import { rarity } from "./weights.ts";

/** How many issues each search offers to the ranking. */
const OFFERED_BY_TEXT = 150;
const OFFERED_BY_TITLE = 150;
/** Postings that one search may read: bounds its time however common the words are. */
const MAX_POSTINGS = 10_000;
/** Words of one search: full-text search asks each of them about every hit. More found no more duplicates on three trackers. */
const MAX_WORDS = 40;
/** A word in more than this share of the issues tells nothing. */
const TOO_COMMON = 0.25;
/** In an index smaller than this, no word is too common. */
const SMALL_INDEX = 100;
// One text of JSON in the place of many bindings, so that a statement is prepared once.
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

/** Those of the words that the index knows, with their ids and counts. */
export function knownWords(
  database: Database,
  words: Iterable<string>,
): Map<string, { id: number; issues: number }> {
  const rows = database.all(KNOWN_WORDS, JSON.stringify([...words]));
  return new Map(rows.map((row) => termRow.parse(row)).map(({ id, term, issues }) => [term, { id, issues }]));
}

/** The words that some ids stand for. */
export function wordsById(database: Database, ids: readonly number[]): Map<number, string> {
  const rows = database.all(WORDS_BY_ID, JSON.stringify(ids));
  return new Map(rows.map((row) => termRow.parse(row)).map(({ id, term }) => [id, term]));
}

export interface Search {
  /** Only issues with smaller numbers are offered: those that came before. */
  number: number;
  terms: IssueTerms;
  known: KnownWords;
  totals: IndexTotals;
}

/** The hits of full-text search by title and text together, and by title alone: a long text must not drown a matching title. */
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

/** The most telling words first, as many as both bounds permit. */
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
