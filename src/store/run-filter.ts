import type { Database } from "./database.ts";
import { matchOf } from "./run-words.ts";

/** A filter for lists of runs. Every value narrows the list; null, false or "" does not. */
export interface RunFilter {
  /** The run id of the batch. */
  batch: string | null;
  /** `owner/name` */
  repo: string | null;
  /** An outcome, or the end status of a run that ended without an outcome. */
  result: string | null;
  isLiveOnly: boolean;
  /** Keeps runs in progress, and runs that ended after this time. */
  endedAfterMs: number | null;
  /** Words to search for in the repository, number, title, outcome and reasons; each may be the beginning of a word. */
  text: string;
  activity: ActivityFilter | null;
}

/** The facts that the Display Status depends on; see run-index-schema.ts for `urgency`. */
export interface ActivityFilter {
  urgency: readonly number[];
  /** The state of the displayed pull request. */
  pullRequest: readonly ("none" | "open" | "closed" | "merged")[];
}

interface Conditions {
  conditions: string[];
  bindings: (string | number)[];
}

/** Returns the SQL conditions on run_index. */
export function filtersOf(database: Database, filter: RunFilter): Conditions {
  const { batch, repo, result, isLiveOnly, endedAfterMs, text, activity } = filter;
  const all: Conditions = { conditions: [], bindings: [] };
  const add = (condition: string, ...bindings: (string | number)[]): void => {
    all.conditions.push(condition);
    all.bindings.push(...bindings);
  };
  if (batch !== null) add("run_index.run_id = ?", batch);
  if (repo !== null) add("run_index.repo = ?", repo);
  if (result !== null) add("run_index.result = ?", result);
  if (isLiveOnly) add("run_index.settled_at_ms IS NULL");
  if (endedAfterMs !== null)
    add("(run_index.settled_at_ms IS NULL OR run_index.settled_at_ms > ?)", endedAfterMs);
  if (activity !== null) {
    const { urgency, pullRequest } = activity;
    add(`run_index.urgency IN (${urgency.map(() => "?").join(", ")})`, ...urgency);
    add(`run_index.pull_request IN (${pullRequest.map(() => "?").join(", ")})`, ...pullRequest);
  }
  const words = matchOf(database, text);
  if (words !== null) add("run_index.id IN (SELECT rowid FROM run_text WHERE run_text MATCH ?)", words);
  return all;
}

/** Returns the FTS5 query of a filter that only has search words; null for any other filter. */
export function wordsAlone(database: Database, { text, ...rest }: RunFilter): string | null {
  const { batch, repo, result, isLiveOnly, endedAfterMs, activity } = rest;
  const isAlone =
    [batch, repo, result, endedAfterMs, activity].every((value) => value === null) && !isLiveOnly;
  return isAlone ? matchOf(database, text) : null;
}
