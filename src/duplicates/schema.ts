/**
 * The tables of one repository's issue index. `words` is a contentless full-text table: it holds postings only, because titles
 * stand in `issues` and bodies are not needed again.
 */
export const SCHEMA = `
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
  created_ms INTEGER NOT NULL,
  title_length INTEGER NOT NULL,
  body_length INTEGER NOT NULL,
  title_weight REAL NOT NULL,
  body_norm REAL NOT NULL,
  vector BLOB NOT NULL,
  fingerprints TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
  title, body, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 tokenchars '=_$.-'"
);
`;
