/**
 * Returns the SQL that inserts the rows of run_times that are derived from rows of runs. A phase is over once another phase follows
 * it.
 */
const insertTimes = (source: string): string => `
INSERT INTO run_times (name, began_at_ms, run, took_ms)
SELECT name, began, run, max(took) FROM (
  SELECT json_extract(runs.phase_history, '$[0].atMs') AS began, run_index.id AS run, json_extract(step.value, '$.phase') AS name,
    max(0, json_extract(runs.phase_history, '$[' || (step.key + 1) || '].atMs') - json_extract(step.value, '$.atMs')) AS took
  FROM runs JOIN run_index USING (run_id, repo, number), json_each(runs.phase_history) AS step ${source}
  UNION ALL
  SELECT json_extract(runs.phase_history, '$[0].atMs'), run_index.id, 'waiting',
    max(0, json_extract(runs.phase_history, '$[0].atMs') - json_extract(runs.issue, '$.waitingSinceMs'))
  FROM runs JOIN run_index USING (run_id, repo, number) ${source}
) WHERE typeof(began) = 'integer' AND typeof(name) = 'text' AND typeof(took) = 'integer' GROUP BY name, began, run;`;

const names =
  "('waiting', 'selected', 'creating', 'preparing', 'triaging', 'verifying', 'applying', 'destroying')";
const ofRow = "WHERE runs.run_id = NEW.run_id AND runs.repo = NEW.repo AND runs.number = NEW.number";

/**
 * The durations for statistics (B2), written by triggers in the transaction of the change: one row for each phase of a run that
 * is over, and one row named `waiting` for the time that the issue had waited before the run. Rows of one name are in the order
 * of the runs' start times, so that a time span is read without the other rows. `run` is the id in run_index.
 */
export const addRunTimes = `
CREATE TABLE run_times (
  name        TEXT NOT NULL,
  began_at_ms INTEGER NOT NULL,
  run         INTEGER NOT NULL,
  took_ms     INTEGER NOT NULL,
  PRIMARY KEY (name, began_at_ms, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_index_began ON run_index (began_at_ms, result, usd_micros);

CREATE TRIGGER run_timed AFTER INSERT ON run_index BEGIN ${insertTimes(ofRow)} END;
CREATE TRIGGER run_retimed AFTER UPDATE OF phase_history, issue ON runs
WHEN (NEW.phase_history, NEW.issue) IS NOT (OLD.phase_history, OLD.issue) BEGIN
  DELETE FROM run_times WHERE name IN ${names} AND began_at_ms = json_extract(OLD.phase_history, '$[0].atMs')
    AND run = (SELECT id FROM run_index WHERE run_id = NEW.run_id AND repo = NEW.repo AND number = NEW.number);
  ${insertTimes(ofRow)}
END;
CREATE TRIGGER run_untimed AFTER DELETE ON run_index BEGIN
  DELETE FROM run_times WHERE name IN ${names} AND began_at_ms = OLD.began_at_ms AND run = OLD.id;
END;

${insertTimes("")}
`;
