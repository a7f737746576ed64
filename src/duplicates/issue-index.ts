import { z } from "zod";
import type { Clock } from "agent-tty/kit";
import { type Database, openDatabase } from "../store/index.ts";
import { type IssueTerms, type IssueText, termsOf } from "./issue-terms.ts";
import { rarity } from "./weights.ts";
import { type IndexTotals, rankCandidates } from "./rank-candidates.ts";
import { type Fingerprints, fingerprintsOf } from "./text/index.ts";
import { findCandidates, knownWords, wordsById } from "./search.ts";
import { decodeVector, encodeVector } from "./issue-vector.ts";
import { createTables } from "./schema.ts";

/** An earlier issue that is like another one, and their shared words, rarest first. */
export interface SimilarIssue {
  number: number;
  title: string;
  state: "open" | "closed";
  reporter: number | null;
  shared: string[];
}

/** The issues of one repository, searchable for likely duplicates (rows D1 and D4). All calls are synchronous and local. */
export interface IssueIndex {
  size(): number;
  /** Adds issues, or replaces those with the same numbers, all or none. `cursor` is kept with them: where the feed goes on. */
  put(issues: readonly IssueText[], cursor?: string): void;
  /** Forgets an issue that was deleted or moved; nothing when it is not indexed. */
  remove(number: number): void;
  /** The cursor of the last `put` that had one; null before it. */
  cursor(): string | null;
  /** Earlier issues that may report the same, best first, at most `limit`. The same answer on every run. */
  similar(issue: IssueText, limit: number): SimilarIssue[];
  /** The same for an issue that is indexed; null when it is not. */
  similarTo(number: number, limit: number): SimilarIssue[] | null;
  /** Title and state as they were last indexed; null for an issue that is not indexed. */
  find(number: number): Pick<SimilarIssue, "number" | "title" | "state" | "reporter"> | null;
  /** The text that other reports share exactly; null for an issue that is not indexed. */
  fingerprints(number: number): Fingerprints | null;
  close(): void;
}

const BUSY_TIMEOUT_MS = 5_000;
/** GitHub's own limit is 256; whatever comes is bounded. */
const MAX_TITLE_CHARACTERS = 300;

const totalsRow = z.object({
  issues: z.number(),
  title_words: z.number(),
  body_words: z.number(),
  cursor: z.string().nullable(),
});
const foundRow = z.object({
  number: z.number(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  reporter: z.number().nullable(),
});
const indexedRow = z.object({
  title: z.string(),
  created_ms: z.number(),
  title_length: z.number(),
  body_length: z.number(),
  vector: z.instanceof(ArrayBuffer),
});
const vectorRow = z.object({
  title_length: z.number(),
  body_length: z.number(),
  vector: z.instanceof(ArrayBuffer),
});
const fingerprintsRow = z.object({ fingerprints: z.string() });
const fingerprintsShape = z.object({ frames: z.array(z.string()), errors: z.array(z.string()) });

/** Opens the index at `path`, making it when it is new. Rejects with a `StoreErrorCode` when the file cannot be used. */
export async function openIssueIndex(path: string, clock: Clock): Promise<IssueIndex> {
  const database = await openDatabase(path, clock, BUSY_TIMEOUT_MS);
  database.write("creating the issue index", () => createTables(database));
  return {
    size: () => readTotals(database).issues,
    cursor: () => readTotals(database).cursor,
    put: (issues, cursor) =>
      database.write("indexing issues", () => {
        for (const issue of issues) replaceIssue(database, issue);
        if (cursor !== undefined) database.run("UPDATE totals SET cursor = :cursor", { cursor });
      }),
    remove: (number) => database.write("forgetting an issue", () => removeIssue(database, number)),
    similar: (issue, limit) => similarIssues(database, { ...issue, terms: termsOf(issue) }, limit),
    similarTo: (number, limit) => {
      const indexed = readIndexed(database, number);
      return indexed === null ? null : similarIssues(database, indexed, limit);
    },
    find: (number) => {
      const [row] = database.all(
        "SELECT number, title, state, reporter FROM issues WHERE number = ?",
        number,
      );
      return row === undefined ? null : foundRow.parse(row);
    },
    fingerprints: (number) => {
      const [row] = database.all("SELECT fingerprints FROM issues WHERE number = ?", number);
      if (row === undefined) return null;
      return fingerprintsShape.parse(JSON.parse(fingerprintsRow.parse(row).fingerprints));
    },
    close: () => database.close(),
  };
}

/** The parts of an issue that a search for it needs. */
type Searched = Pick<IssueText, "number" | "title" | "createdMs"> & { terms: IssueTerms };

function similarIssues(database: Database, issue: Searched, limit: number): SimilarIssue[] {
  const totals = averages(readTotals(database));
  if (totals.issues === 0) return [];
  const { number, title, createdMs, terms } = issue;
  const known = knownWords(database, terms);
  const candidates = findCandidates(database, { number, terms, known, totals });
  return rankCandidates({ title, terms, createdMs, known }, candidates, totals)
    .slice(0, limit)
    .map(({ candidate, shared }) => ({
      number: candidate.number,
      title: candidate.title,
      state: candidate.state,
      reporter: candidate.reporter,
      shared,
    }));
}

/** Title and words of an indexed issue: what its text was is not kept. */
function readIndexed(database: Database, number: number): Searched | null {
  const columns = "number, title, created_ms, title_length, body_length, vector";
  const [row] = database.all(`SELECT ${columns} FROM issues WHERE number = ?`, number);
  if (row === undefined) return null;
  const found = indexedRow.parse(row);
  const entries = decodeVector(found.vector);
  const words = wordsById(
    database,
    entries.map(({ term }) => term),
  );
  const counts = (field: "title" | "body"): Map<string, number> =>
    new Map(
      entries.flatMap((entry) => {
        const word = words.get(entry.term);
        return word === undefined || entry[field] === 0 ? [] : [[word, entry[field]] as const];
      }),
    );
  return {
    number,
    title: found.title,
    createdMs: found.created_ms,
    terms: {
      title: counts("title"),
      body: counts("body"),
      titleLength: found.title_length,
      bodyLength: found.body_length,
    },
  };
}

function replaceIssue(database: Database, issue: IssueText): void {
  removeIssue(database, issue.number);
  const terms = termsOf(issue);
  const totals = readTotals(database);
  const known = countTerms(database, terms);
  const weightOf = (word: string): number => rarity((known.get(word)?.issues ?? 1) - 1, totals.issues);
  const fingerprints = fingerprintsOf(`${issue.title}\n${issue.body}`);
  database.run(
    "INSERT INTO issues VALUES (:number, :title, :state, :reporter, :created, :titleLength, :bodyLength, :titleWeight, :bodyNorm, :vector, :fingerprints)",
    {
      number: issue.number,
      title: issue.title.slice(0, MAX_TITLE_CHARACTERS),
      state: issue.state,
      reporter: issue.reporter,
      created: issue.createdMs,
      titleLength: terms.titleLength,
      bodyLength: terms.bodyLength,
      titleWeight: [...terms.title.keys()].reduce((sum, word) => sum + weightOf(word), 0),
      bodyNorm: Math.sqrt(
        [...terms.body].reduce(
          (sum, [word, count]) => sum + (weightOf(word) * (1 + Math.log(count))) ** 2,
          0,
        ),
      ),
      vector: encodeVector(terms, (word) => known.get(word)?.id ?? 0),
      fingerprints: JSON.stringify(fingerprints),
    },
  );
  database.run("INSERT INTO words (rowid, title, body) VALUES (:number, :title, :body)", {
    number: issue.number,
    title: repeated(terms.title),
    body: repeated(terms.body),
  });
  addTotals(database, 1, terms.titleLength, terms.bodyLength);
}

/** Counts the issue's words in `terms`, making new rows, and returns their ids and counts. */
function countTerms(database: Database, terms: IssueTerms): Map<string, { id: number; issues: number }> {
  for (const word of new Set([...terms.title.keys(), ...terms.body.keys()]))
    database.run(
      "INSERT INTO terms (term, issues) VALUES (:word, 1) ON CONFLICT (term) DO UPDATE SET issues = issues + 1",
      { word },
    );
  return knownWords(database, terms);
}

function removeIssue(database: Database, number: number): void {
  const [row] = database.all("SELECT title_length, body_length, vector FROM issues WHERE number = ?", number);
  if (row === undefined) return;
  const { title_length, body_length, vector } = vectorRow.parse(row);
  for (const { term } of decodeVector(vector))
    database.run("UPDATE terms SET issues = issues - 1 WHERE id = :term", { term });
  database.run("DELETE FROM words WHERE rowid = :number", { number });
  database.run("DELETE FROM issues WHERE number = :number", { number });
  addTotals(database, -1, -title_length, -body_length);
}

function addTotals(database: Database, issues: number, titleWords: number, bodyWords: number): void {
  database.run(
    "UPDATE totals SET issues = issues + :issues, title_words = title_words + :titleWords, body_words = body_words + :bodyWords",
    { issues, titleWords, bodyWords },
  );
}

function readTotals(database: Database): z.infer<typeof totalsRow> {
  return totalsRow.parse(database.all("SELECT issues, title_words, body_words, cursor FROM totals")[0]);
}

function averages({ issues, title_words, body_words }: z.infer<typeof totalsRow>): IndexTotals {
  return {
    issues,
    averageTitleLength: Math.max(1, title_words / Math.max(1, issues)),
    averageBodyLength: Math.max(1, body_words / Math.max(1, issues)),
  };
}

/** Full-text search counts words itself, so each stands as often as it occurred. */
function repeated(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([word, count]) => `${word} `.repeat(Math.min(count, 50))).join("");
}
