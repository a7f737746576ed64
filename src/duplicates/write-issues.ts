import { z } from "zod";
import type { Database } from "../store/index.ts";
import { type IssueTerms, type IssueText, termsOf } from "./issue-terms.ts";
import { decodeVector, encodeVector } from "./issue-vector.ts";
import { knownWords } from "./search.ts";
import { fingerprintsOf } from "./text/index.ts";
import { addTotals, readTotals } from "./totals.ts";
import { rarity } from "./weights.ts";

/** GitHub's own limit is 256 characters; this one limits any input. */
const MAX_TITLE_CHARACTERS = 300;
/** Full-text search needs no larger count of one word in one issue. */
const MAX_REPEATS = 50;

// One statement per batch instead of one per word, because a driver call costs more than its work.
const COUNT_TERMS =
  "INSERT INTO terms (term, issues) SELECT key, value FROM json_each(:counts) WHERE true ON CONFLICT (term) DO UPDATE SET issues = issues + excluded.issues";
const UNCOUNT_TERMS =
  "UPDATE terms SET issues = issues - counted.value FROM json_each(:counts) AS counted WHERE terms.id = CAST(counted.key AS INTEGER)";
const INSERT_ISSUE =
  "INSERT INTO issues VALUES (:number, :title, :state, :reporter, :created, :titleLength, :bodyLength, :titleWeight, :bodyNorm, :vector, :fingerprints)";
const INSERT_WORDS = "INSERT INTO words (rowid, title, body) VALUES (:number, :title, :body)";
const WRITTEN =
  "SELECT number, title_length, body_length, vector FROM issues WHERE number IN (SELECT value FROM json_each(?))";

const writtenRow = z.object({
  number: z.number(),
  title_length: z.number(),
  body_length: z.number(),
  vector: z.instanceof(ArrayBuffer),
});

/** Adds issues, or replaces those with the same numbers. Call it only inside a transaction. */
export function writeIssues(database: Database, issues: readonly IssueText[]): void {
  const latest = [...new Map(issues.map((issue) => [issue.number, issue])).values()];
  removeIssues(
    database,
    latest.map(({ number }) => number),
  );
  const read = latest.map((issue) => ({ issue, terms: termsOf(issue) }));
  const known = countTerms(
    database,
    read.map(({ terms }) => terms),
  );
  let { issues: earlier } = readTotals(database);
  for (const { issue, terms } of read) {
    insertIssue(database, { issue, terms, known, earlier });
    for (const word of distinctWords(terms)) {
      const counted = known.get(word);
      if (counted !== undefined) counted.issues += 1;
    }
    earlier += 1;
  }
  const sum = (length: "titleLength" | "bodyLength"): number =>
    read.reduce((total, { terms }) => total + terms[length], 0);
  addTotals(database, read.length, sum("titleLength"), sum("bodyLength"));
}

/** Removes issues; ignores numbers that are not indexed. Call it only inside a transaction. */
export function removeIssues(database: Database, numbers: readonly number[]): void {
  const rows = database.all(WRITTEN, JSON.stringify(numbers)).map((row) => writtenRow.parse(row));
  if (rows.length === 0) return;
  const counts = new Map<number, number>();
  for (const { number, vector } of rows) {
    for (const { term } of decodeVector(vector)) counts.set(term, (counts.get(term) ?? 0) + 1);
    database.run("DELETE FROM words WHERE rowid = :number", { number });
    database.run("DELETE FROM issues WHERE number = :number", { number });
  }
  database.run(UNCOUNT_TERMS, { counts: JSON.stringify(Object.fromEntries(counts)) });
  const sum = (length: "title_length" | "body_length"): number =>
    rows.reduce((total, row) => total + row[length], 0);
  addTotals(database, -rows.length, -sum("title_length"), -sum("body_length"));
}

/**
 * Counts the words of several issues in the table `terms`, and adds rows for new words. Returns the words' ids and previous
 * counts.
 */
function countTerms(
  database: Database,
  all: readonly IssueTerms[],
): Map<string, { id: number; issues: number }> {
  const counts = new Map<string, number>();
  for (const terms of all)
    for (const word of distinctWords(terms)) counts.set(word, (counts.get(word) ?? 0) + 1);
  database.run(COUNT_TERMS, { counts: JSON.stringify(Object.fromEntries(counts)) });
  const known = knownWords(database, counts.keys());
  for (const [word, counted] of known) counted.issues -= counts.get(word) ?? 0;
  return known;
}

interface InsertedIssue {
  issue: IssueText;
  terms: IssueTerms;
  /** The issue's words with their ids, and the number of earlier issues that contain each. */
  known: ReadonlyMap<string, { id: number; issues: number }>;
  /** The number of issues that were indexed before this one. */
  earlier: number;
}

function insertIssue(database: Database, { issue, terms, known, earlier }: InsertedIssue): void {
  const weightOf = (word: string): number => rarity(known.get(word)?.issues ?? 0, earlier);
  let titleWeight = 0;
  for (const word of terms.title.keys()) titleWeight += weightOf(word);
  let bodyNorm = 0;
  for (const [word, count] of terms.body) bodyNorm += (weightOf(word) * (1 + Math.log(count))) ** 2;
  database.run(INSERT_ISSUE, {
    number: issue.number,
    title: issue.title.slice(0, MAX_TITLE_CHARACTERS),
    state: issue.state,
    reporter: issue.reporter,
    created: issue.createdMs,
    titleLength: terms.titleLength,
    bodyLength: terms.bodyLength,
    titleWeight,
    bodyNorm: Math.sqrt(bodyNorm),
    vector: encodeVector(terms, (word) => known.get(word)?.id ?? 0),
    fingerprints: JSON.stringify(fingerprintsOf(`${issue.title}\n${issue.body}`)),
  });
  database.run(INSERT_WORDS, {
    number: issue.number,
    title: repeated(terms.title),
    body: repeated(terms.body),
  });
}

function distinctWords({ title, body }: IssueTerms): Set<string> {
  return new Set([...title.keys(), ...body.keys()]);
}

/**
 * Returns a text in which each word is repeated as often as it occurred (at most `MAX_REPEATS` times), because full-text search
 * counts the words itself.
 */
function repeated(counts: ReadonlyMap<string, number>): string {
  let text = "";
  for (const [word, count] of counts) text += `${word} `.repeat(Math.min(count, MAX_REPEATS));
  return text;
}
