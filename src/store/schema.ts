/**
 * Migration 1. The facts of a run are columns; lists and ends are JSON. The Display Status is not stored (O3). Only the triggers
 * write to change_log (O21), and they log only visible changes: a new report time or a repeated save is not a change.
 */
export const createTables = `
CREATE TABLE batches (
  run_id         TEXT PRIMARY KEY,
  parent         TEXT NOT NULL,
  repos          TEXT NOT NULL CHECK (json_valid(repos)),
  started_at_ms  INTEGER NOT NULL,
  finished_at_ms INTEGER,
  summary        TEXT CHECK (summary IS NULL OR json_valid(summary))
) STRICT;

CREATE TABLE runs (
  run_id              TEXT NOT NULL REFERENCES batches (run_id),
  repo                TEXT NOT NULL,
  number              INTEGER NOT NULL,
  phase               TEXT NOT NULL,
  phase_history       TEXT NOT NULL CHECK (json_valid(phase_history)),
  end                 TEXT CHECK (end IS NULL OR json_valid(end)),
  run_state           TEXT NOT NULL,
  started_at_ms       INTEGER,
  detached_at_ms      INTEGER,
  last_report_at_ms   INTEGER,
  activity_state      TEXT NOT NULL,
  is_terminated       INTEGER NOT NULL CHECK (is_terminated IN (0, 1)),
  spawned_at_ms       INTEGER,
  first_signal_at_ms  INTEGER,
  last_activity_at_ms INTEGER NOT NULL,
  is_signal_capable   INTEGER NOT NULL CHECK (is_signal_capable IN (0, 1)),
  exit_code           INTEGER,
  workspace_state     TEXT NOT NULL,
  workspace_name      TEXT,
  workspace_id        TEXT,
  session_id          TEXT,
  pull_requests       TEXT NOT NULL CHECK (json_valid(pull_requests)),
  updated_at_ms       INTEGER NOT NULL,
  PRIMARY KEY (run_id, repo, number)
) STRICT;

CREATE INDEX runs_by_issue ON runs (repo, number, run_id);
CREATE INDEX live_runs ON runs (run_id) WHERE phase <> 'settled';

CREATE TABLE change_log (
  seq    INTEGER PRIMARY KEY AUTOINCREMENT,
  change TEXT NOT NULL,
  run_id TEXT NOT NULL,
  repo   TEXT,
  number INTEGER
) STRICT;

CREATE TRIGGER batch_recorded AFTER INSERT ON batches BEGIN
  INSERT INTO change_log (change, run_id) VALUES ('batch-recorded', NEW.run_id);
END;

CREATE TRIGGER batch_updated AFTER UPDATE ON batches
WHEN (NEW.finished_at_ms, NEW.summary) IS NOT (OLD.finished_at_ms, OLD.summary) BEGIN
  INSERT INTO change_log (change, run_id) VALUES ('batch-updated', NEW.run_id);
END;

CREATE TRIGGER run_recorded AFTER INSERT ON runs BEGIN
  INSERT INTO change_log (change, run_id, repo, number)
  VALUES ('run-recorded', NEW.run_id, NEW.repo, NEW.number);
END;

CREATE TRIGGER run_updated AFTER UPDATE ON runs
WHEN (NEW.phase, NEW.end, NEW.run_state, NEW.activity_state, NEW.is_terminated, NEW.spawned_at_ms,
      NEW.first_signal_at_ms, NEW.exit_code, NEW.workspace_state, NEW.workspace_name, NEW.workspace_id,
      NEW.session_id, NEW.pull_requests)
  IS NOT
     (OLD.phase, OLD.end, OLD.run_state, OLD.activity_state, OLD.is_terminated, OLD.spawned_at_ms,
      OLD.first_signal_at_ms, OLD.exit_code, OLD.workspace_state, OLD.workspace_name, OLD.workspace_id,
      OLD.session_id, OLD.pull_requests) BEGIN
  INSERT INTO change_log (change, run_id, repo, number)
  VALUES ('run-updated', NEW.run_id, NEW.repo, NEW.number);
END;
`;

/** Migration 2: nudges, the runner's verdict and the origin of restored runs. */
export const addControlFacts = `
ALTER TABLE batches ADD COLUMN provider TEXT;
ALTER TABLE runs ADD COLUMN final_report_at_ms INTEGER;
ALTER TABLE runs ADD COLUMN runner_verdict TEXT;
ALTER TABLE runs ADD COLUMN nudges TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(nudges));
ALTER TABLE runs ADD COLUMN restored_from TEXT;

DROP TRIGGER run_updated;
CREATE TRIGGER run_updated AFTER UPDATE ON runs
WHEN (NEW.phase, NEW.end, NEW.run_state, NEW.final_report_at_ms, NEW.runner_verdict, NEW.activity_state,
      NEW.is_terminated, NEW.spawned_at_ms, NEW.first_signal_at_ms, NEW.exit_code, NEW.workspace_state,
      NEW.workspace_name, NEW.workspace_id, NEW.session_id, NEW.pull_requests, NEW.nudges, NEW.restored_from)
  IS NOT
     (OLD.phase, OLD.end, OLD.run_state, OLD.final_report_at_ms, OLD.runner_verdict, OLD.activity_state,
      OLD.is_terminated, OLD.spawned_at_ms, OLD.first_signal_at_ms, OLD.exit_code, OLD.workspace_state,
      OLD.workspace_name, OLD.workspace_id, OLD.session_id, OLD.pull_requests, OLD.nudges, OLD.restored_from) BEGIN
  INSERT INTO change_log (change, run_id, repo, number)
  VALUES ('run-updated', NEW.run_id, NEW.repo, NEW.number);
END;
`;

/** Migration 4: the issues that may be, or are proven to be, duplicates of each other (D6). */
export const addDuplicateLinks = `
CREATE TABLE duplicate_links (
  repo          TEXT NOT NULL,
  first         INTEGER NOT NULL,
  second        INTEGER NOT NULL,
  kind          TEXT NOT NULL CHECK (kind IN ('may-be', 'proven')),
  run_id        TEXT NOT NULL,
  detail        TEXT NOT NULL CHECK (json_valid(detail)),
  decided_at_ms INTEGER NOT NULL,
  PRIMARY KEY (repo, first, second),
  CHECK (first < second)
) STRICT;
`;

/**
 * Migration 5: facts about what happened to outcomes, and the conclusions from them (E4). The table is append-only; a fact with a
 * known key is written once.
 */
export const addTrustFacts = `
CREATE TABLE trust_facts (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  key     TEXT NOT NULL UNIQUE,
  repo    TEXT NOT NULL,
  number  INTEGER,
  run_id  TEXT NOT NULL,
  type    TEXT NOT NULL,
  at_ms   INTEGER NOT NULL,
  detail  TEXT NOT NULL CHECK (json_valid(detail))
) STRICT;

CREATE INDEX trust_facts_by_issue ON trust_facts (repo, number);
`;

/** Migration 3: the issue's title, URL and age, and the run's result, for views over several batches. */
export const addIssueFacts = `
ALTER TABLE runs ADD COLUMN issue TEXT CHECK (issue IS NULL OR json_valid(issue));
ALTER TABLE runs ADD COLUMN result TEXT CHECK (result IS NULL OR json_valid(result));

DROP TRIGGER run_updated;
CREATE TRIGGER run_updated AFTER UPDATE ON runs
WHEN (NEW.phase, NEW.end, NEW.run_state, NEW.final_report_at_ms, NEW.runner_verdict, NEW.activity_state,
      NEW.is_terminated, NEW.spawned_at_ms, NEW.first_signal_at_ms, NEW.exit_code, NEW.workspace_state,
      NEW.workspace_name, NEW.workspace_id, NEW.session_id, NEW.pull_requests, NEW.nudges, NEW.restored_from,
      NEW.issue, NEW.result)
  IS NOT
     (OLD.phase, OLD.end, OLD.run_state, OLD.final_report_at_ms, OLD.runner_verdict, OLD.activity_state,
      OLD.is_terminated, OLD.spawned_at_ms, OLD.first_signal_at_ms, OLD.exit_code, OLD.workspace_state,
      OLD.workspace_name, OLD.workspace_id, OLD.session_id, OLD.pull_requests, OLD.nudges, OLD.restored_from,
      OLD.issue, OLD.result) BEGIN
  INSERT INTO change_log (change, run_id, repo, number)
  VALUES ('run-updated', NEW.run_id, NEW.repo, NEW.number);
END;
`;
