const mark = (kind: string, key: string): string => `
  UPDATE outbox_owner SET version = version + 1;
  INSERT INTO outbox (kind, key, version) SELECT '${kind}', ${key}, version FROM outbox_owner WHERE true
  ON CONFLICT (kind, key) DO UPDATE SET version = excluded.version;`;

const keys = {
  batch: (row: string): string => `json_array(${row}run_id)`,
  run: (row: string): string => `json_array(${row}run_id, ${row}repo, ${row}number)`,
  duplicate: (row: string): string => `json_array(${row}repo, ${row}first, ${row}second)`,
  trust: (row: string): string => `json_array(${row}at_ms, ${row}key)`,
};

/** Marks the rows that were in the store before its outbox was first opened. */
export const markEverything = `
INSERT INTO outbox (kind, key, version) SELECT 'batch', ${keys.batch("")}, 0 FROM batches ORDER BY run_id;
INSERT INTO outbox (kind, key, version) SELECT 'run', ${keys.run("")}, 0 FROM runs ORDER BY run_id, repo, number;
INSERT INTO outbox (kind, key, version) SELECT 'duplicate', ${keys.duplicate("")}, 0 FROM duplicate_links;
INSERT INTO outbox (kind, key, version) SELECT 'trust', ${keys.trust("")}, 0 FROM trust_facts ORDER BY seq;
`;

/**
 * Migration 9: marks the rows that a fleet has not sent to its database yet. A row is marked once, however often it changes, and
 * keeps its place in the order: a batch is sent before its runs. Without an owner, no row is marked. `copy_cursor` is the
 * position up to which a board's copy has read these rows.
 */
export const addOutbox = `
CREATE TABLE outbox_owner (id INTEGER PRIMARY KEY CHECK (id = 1), store TEXT NOT NULL, version INTEGER NOT NULL) STRICT;
CREATE TABLE outbox (
  id      INTEGER PRIMARY KEY,
  kind    TEXT NOT NULL,
  key     TEXT NOT NULL,
  version INTEGER NOT NULL,
  UNIQUE (kind, key)
) STRICT;
CREATE TABLE copy_cursor (id INTEGER PRIMARY KEY CHECK (id = 1), cursor TEXT NOT NULL) STRICT;

CREATE TRIGGER batch_marked AFTER INSERT ON batches BEGIN ${mark("batch", keys.batch("NEW."))} END;
CREATE TRIGGER batch_remarked AFTER UPDATE ON batches BEGIN ${mark("batch", keys.batch("NEW."))} END;
CREATE TRIGGER run_marked AFTER INSERT ON runs BEGIN ${mark("run", keys.run("NEW."))} END;
CREATE TRIGGER run_remarked AFTER UPDATE ON runs BEGIN ${mark("run", keys.run("NEW."))} END;
CREATE TRIGGER duplicate_marked AFTER INSERT ON duplicate_links BEGIN ${mark("duplicate", keys.duplicate("NEW."))} END;
CREATE TRIGGER duplicate_remarked AFTER UPDATE ON duplicate_links BEGIN ${mark("duplicate", keys.duplicate("NEW."))} END;
CREATE TRIGGER trust_marked AFTER INSERT ON trust_facts BEGIN ${mark("trust", keys.trust("NEW."))} END;
`;
