/** The columns of run_index that are derived from a row of runs. */
const facts = `
  coalesce(json_extract(phase_history, '$[0].atMs'), 0),
  CASE WHEN phase = 'settled' THEN json_extract(phase_history, '$[#-1].atMs') END,
  CASE WHEN phase = 'settled' THEN coalesce(json_extract(end, '$.status'), 'failed') ELSE 'live' END,
  CASE WHEN phase <> 'settled' THEN ''
       WHEN json_extract(end, '$.status') = 'failed' THEN 'failed'
       ELSE coalesce(json_extract(end, '$.outcome'), json_extract(end, '$.status'), 'failed') END,
  CASE WHEN is_terminated = 1 THEN 3 WHEN activity_state = 'waiting_input' THEN 0 WHEN activity_state = 'active' THEN 1 ELSE 2 END,
  coalesce((SELECT json_extract(value, '$.state') FROM json_each(pull_requests)
            ORDER BY json_extract(value, '$.state') = 'open' DESC, json_extract(value, '$.updatedAtMs') DESC LIMIT 1), 'none'),
  CAST(round(coalesce(json_extract(result, '$.usage.usd'), 0) * 1000000) AS INTEGER),
  CASE WHEN phase = 'settled'
       THEN coalesce(json_extract(phase_history, '$[#-1].atMs') - json_extract(phase_history, '$[0].atMs'), 0)
       ELSE 1000000000000000 - coalesce(json_extract(phase_history, '$[0].atMs'), 0) END`;

const factColumns = [
  "began_at_ms",
  "settled_at_ms",
  "status",
  "result",
  "urgency",
  "pull_request",
  "usd_micros",
  "elapsed_order",
];

const upsert = (source: string): string => `
INSERT INTO run_index (run_id, repo, number, ${factColumns.join(", ")})
SELECT run_id, repo, number, ${facts} FROM runs ${source}
ON CONFLICT (run_id, repo, number) DO UPDATE
SET ${factColumns.map((column) => `${column} = excluded.${column}`).join(", ")}
WHERE (${factColumns.map((column) => `run_index.${column}`).join(", ")})
  IS NOT (${factColumns.map((column) => `excluded.${column}`).join(", ")});`;

const insertText = (source: string): string => `
INSERT INTO run_text (rowid, text)
SELECT run_index.id, concat_ws(' ', runs.repo, runs.number, json_extract(runs.issue, '$.title'),
  json_extract(runs.result, '$.category'), json_extract(runs.result, '$.policy'), run_index.result,
  json_extract(runs.end, '$.reason'), json_extract(runs.end, '$.error.code'), json_extract(runs.end, '$.error.message'))
FROM runs JOIN run_index USING (run_id, repo, number) ${source};`;

const ofRow = "WHERE runs.rowid = NEW.rowid";

const count = (row: "NEW" | "OLD", sign: "+" | "-"): string => `
INSERT INTO run_totals (run_id, repo, status, result, urgency, pull_request, runs, usd_runs, usd_micros)
VALUES (${row}.run_id, ${row}.repo, ${row}.status, ${row}.result, ${row}.urgency, ${row}.pull_request, ${sign}1, ${sign}(${row}.usd_micros > 0), ${sign}${row}.usd_micros)
ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, usd_runs = usd_runs + excluded.usd_runs, usd_micros = usd_micros + excluded.usd_micros;`;

/**
 * The index from which lists of runs are read (B2): one narrow row per run for filters and orders, the words of each run for
 * search, and the totals of each batch, all written by triggers in the transaction of the change. `id` is the order of recording.
 * `urgency` is 0 for a run that waits for input, 1 for an active run, 2 for any other run in progress, 3 for a run that has
 * ended. `elapsed_order` sorts runs in progress, oldest first, above all durations.
 */
export const addRunIndex = `
CREATE TABLE run_index (
  id            INTEGER PRIMARY KEY,
  run_id        TEXT NOT NULL,
  repo          TEXT NOT NULL,
  number        INTEGER NOT NULL,
  began_at_ms   INTEGER NOT NULL,
  settled_at_ms INTEGER,
  status        TEXT NOT NULL,
  result        TEXT NOT NULL,
  urgency       INTEGER NOT NULL,
  pull_request  TEXT NOT NULL,
  usd_micros    INTEGER NOT NULL,
  elapsed_order INTEGER NOT NULL,
  UNIQUE (run_id, repo, number)
) STRICT;
CREATE INDEX run_index_result ON run_index (result, id);
CREATE INDEX run_index_repo ON run_index (repo, id);
CREATE INDEX run_index_issue ON run_index (repo, number, id);
CREATE INDEX run_index_urgency ON run_index (urgency, id);
CREATE INDEX run_index_pull_request ON run_index (pull_request, id) WHERE pull_request <> 'none';
CREATE INDEX run_index_settled ON run_index (settled_at_ms);
CREATE INDEX run_index_cost ON run_index (usd_micros, id);
CREATE INDEX run_index_elapsed ON run_index (elapsed_order, id);

CREATE TABLE run_totals (
  run_id       TEXT NOT NULL,
  repo         TEXT NOT NULL,
  status       TEXT NOT NULL,
  result       TEXT NOT NULL,
  urgency      INTEGER NOT NULL,
  pull_request TEXT NOT NULL,
  runs         INTEGER NOT NULL,
  usd_runs     INTEGER NOT NULL,
  usd_micros   INTEGER NOT NULL,
  PRIMARY KEY (run_id, repo, status, result, urgency, pull_request)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_totals_live ON run_totals (run_id) WHERE status = 'live' AND runs > 0;

CREATE VIRTUAL TABLE run_text USING fts5 (text, content = '', contentless_delete = 1, detail = 'full', prefix = '2 3');

CREATE TRIGGER run_index_inserted AFTER INSERT ON run_index BEGIN ${count("NEW", "+")} END;
CREATE TRIGGER run_index_updated AFTER UPDATE ON run_index BEGIN ${count("OLD", "-")} ${count("NEW", "+")} END;
CREATE TRIGGER run_index_deleted AFTER DELETE ON run_index BEGIN ${count("OLD", "-")} END;

CREATE TRIGGER run_indexed AFTER INSERT ON runs BEGIN ${upsert(ofRow)} ${insertText(ofRow)} END;
CREATE TRIGGER run_reindexed AFTER UPDATE ON runs BEGIN ${upsert(ofRow)} END;
CREATE TRIGGER run_reworded AFTER UPDATE OF issue, end, result ON runs
WHEN (NEW.issue, NEW.end, NEW.result) IS NOT (OLD.issue, OLD.end, OLD.result) BEGIN
  DELETE FROM run_text WHERE rowid = (SELECT id FROM run_index WHERE run_id = NEW.run_id AND repo = NEW.repo AND number = NEW.number);
  ${insertText(ofRow)}
END;
CREATE TRIGGER run_unindexed AFTER DELETE ON runs BEGIN
  DELETE FROM run_text WHERE rowid = (SELECT id FROM run_index WHERE run_id = OLD.run_id AND repo = OLD.repo AND number = OLD.number);
  DELETE FROM run_index WHERE run_id = OLD.run_id AND repo = OLD.repo AND number = OLD.number;
END;

${upsert("WHERE true ORDER BY json_extract(phase_history, '$[0].atMs'), run_id, repo, number")}
${insertText("")}
CREATE INDEX unfinished_batches ON batches (run_id) WHERE finished_at_ms IS NULL;
`;
