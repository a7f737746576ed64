import { z } from "zod";
import type { Database } from "../store/index.ts";

const FORMAT = 3;

/** Creates the tables. Empties an index of another format; the feed then rebuilds it from the repository. */
export function createTables(database: Database): void {
  const hasIssues = tableNames(database).has("issues");
  if (hasIssues && readFormat(database) !== FORMAT)
    for (const table of ["words", "issues", "terms", "totals", "format"])
      database.exec(`DROP TABLE IF EXISTS ${table}`);
  database.exec(SCHEMA);
  if (readFormat(database) === null)
    database.run("INSERT INTO format VALUES (:version)", { version: FORMAT });
}

function readFormat(database: Database): number | null {
  if (!tableNames(database).has("format")) return null;
  const [row] = database.all("SELECT version FROM format");
  return row === undefined ? null : formatRow.parse(row).version;
}

function tableNames(database: Database): Set<string> {
  const rows = database.all("SELECT name FROM sqlite_schema WHERE type = 'table'");
  return new Set(rows.map((row) => tableRow.parse(row).name));
}

const formatRow = z.object({ version: z.number() });
const tableRow = z.object({ name: z.string() });

/**
 * The tables of one repository's issue index. `words` is a contentless full-text table: it contains only postings, because titles
 * are stored in `issues` and bodies are not needed again.
 */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS format (version INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS totals (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  issues INTEGER NOT NULL,
  title_words INTEGER NOT NULL,
  body_words INTEGER NOT NULL,
  cursor TEXT
) STRICT;
INSERT OR IGNORE INTO totals VALUES (1, 0, 0, 0, NULL);
CREATE TABLE IF NOT EXISTS terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE, issues INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS issues (
  number INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  reporter INTEGER,
  created_ms INTEGER NOT NULL,
  title_length INTEGER NOT NULL,
  body_length INTEGER NOT NULL,
  title_weight REAL NOT NULL,
  body_norm REAL NOT NULL,
  vector BLOB NOT NULL,
  fingerprints TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
  title, body, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co' tokenchars '=_$.-'"
);
`;
