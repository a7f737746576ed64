import { z } from "zod";
import type { Clock } from "agent-tty/kit";
import { type Database, openDatabase } from "../store/index.ts";
import { type IssueTerms, type IssueText, termsOf } from "./issue-terms.ts";
import { type IndexTotals, rankCandidates } from "./rank-candidates.ts";
import type { Fingerprints } from "./text/index.ts";
import { findCandidates, knownWords, wordsById } from "./search.ts";
import { decodeVector } from "./issue-vector.ts";
import { createTables } from "./schema.ts";
import { readTotals, type Totals } from "./totals.ts";
import { removeIssues, writeIssues } from "./write-issues.ts";

/** An earlier issue that is similar to another one, and the words that both share, rarest first. */
export interface SimilarIssue {
  number: number;
  title: string;
  state: "open" | "closed";
  reporter: number | null;
  shared: string[];
}

/** The index of one repository's issues, searchable for likely duplicates (D1, D4). All calls are synchronous and local. */
export interface IssueIndex {
  size(): number;
  /**
   * Adds issues, or replaces those with the same numbers; adds all or none. `cursor`, the position at which the feed continues,
   * is stored with them.
   */
  put(issues: readonly IssueText[], cursor?: string): void;
  /** Removes an issue that was deleted or moved; does nothing if it is not indexed. */
  remove(number: number): void;
  /** Returns the cursor of the last `put` that had one; null: there was none. */
  cursor(): string | null;
  /** Returns at most `limit` earlier issues that may report the same, best first. Deterministic. */
  similar(issue: IssueText, limit: number): SimilarIssue[];
  /** Returns the same for an indexed issue; null: it is not indexed. */
  similarTo(number: number, limit: number): SimilarIssue[] | null;
  /** Returns an issue's title, state and reporter as last indexed; null: it is not indexed. */
  find(number: number): Pick<SimilarIssue, "number" | "title" | "state" | "reporter"> | null;
  /** Returns the texts of an issue that other reports may share exactly; null: it is not indexed. */
  fingerprints(number: number): Fingerprints | null;
  close(): void;
}

const BUSY_TIMEOUT_MS = 5_000;

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
const fingerprintsRow = z.object({ fingerprints: z.string() });
const fingerprintsShape = z.object({ frames: z.array(z.string()), errors: z.array(z.string()) });

/** Opens the index at `path`, and creates it if it does not exist. Rejects with a `StoreErrorCode` if the file cannot be used. */
export async function openIssueIndex(path: string, clock: Clock): Promise<IssueIndex> {
  const database = await openDatabase(path, clock, BUSY_TIMEOUT_MS);
  try {
    database.write("creating the issue index", () => createTables(database));
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    size: () => readTotals(database).issues,
    cursor: () => readTotals(database).cursor,
    put: (issues, cursor) =>
      database.write("indexing issues", () => {
        writeIssues(database, issues);
        if (cursor !== undefined) database.run("UPDATE totals SET cursor = :cursor", { cursor });
      }),
    remove: (number) => database.write("forgetting an issue", () => removeIssues(database, [number])),
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

/** The parts of an issue that a search for similar issues needs. */
type Searched = Pick<IssueText, "number" | "title" | "createdMs"> & { terms: IssueTerms };

function similarIssues(database: Database, issue: Searched, limit: number): SimilarIssue[] {
  const totals = averages(readTotals(database));
  if (totals.issues === 0) return [];
  const { number, title, createdMs, terms } = issue;
  const known = knownWords(database, new Set([...terms.title.keys(), ...terms.body.keys()]));
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

/** Returns the title and words of an indexed issue, whose text is not stored; null: it is not indexed. */
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

function averages({ issues, titleWords, bodyWords }: Totals): IndexTotals {
  return {
    issues,
    averageTitleLength: Math.max(1, titleWords / Math.max(1, issues)),
    averageBodyLength: Math.max(1, bodyWords / Math.max(1, issues)),
  };
}
