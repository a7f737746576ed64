import type { BatchTimelineDocument, RunRowDocument } from "../../api/index.ts";
import { elapsedMs, resultOf } from "../model/index.ts";

type Runs = BatchTimelineDocument["runs"];

export interface BatchFigures {
  runs: number;
  /** From the first start to the last end, in milliseconds. */
  tookMs: number;
  medianRunMs: number;
  /** US dollars of the runs that reported a cost; null when none did. */
  usd: number | null;
  results: ReadonlyMap<string, number>;
}

/** An issue that both batches triaged with different results. */
export interface ChangedResult {
  issue: string;
  before: RunRowDocument;
  after: RunRowDocument;
}

/** Returns the figures of a batch that a comparison shows (B10). */
export function figuresOf(runs: Runs, nowMs: number): BatchFigures {
  const rows = runs.map(({ run }) => run);
  const times = rows.map((run) => elapsedMs(run, nowMs)).sort((one, other) => one - other);
  const ends = rows.map((run) => run.startedAtMs + elapsedMs(run, nowMs));
  const costs = rows.flatMap(({ usage }) => (usage?.usd == null ? [] : [usage.usd]));
  const results = new Map<string, number>();
  for (const run of rows) {
    const result = resultOf(run) ?? "in progress";
    results.set(result, (results.get(result) ?? 0) + 1);
  }
  return {
    runs: rows.length,
    tookMs: rows.length === 0 ? 0 : Math.max(...ends) - Math.min(...rows.map((run) => run.startedAtMs)),
    medianRunMs: times[Math.floor(times.length / 2)] ?? 0,
    usd: costs.length === 0 ? null : costs.reduce((sum, usd) => sum + usd, 0),
    results,
  };
}

/** Returns the issues that both batches triaged with different results. */
export function changedResults(before: Runs, after: Runs): ChangedResult[] {
  const earlier = new Map(before.map(({ run }) => [`${run.repo}#${run.number}`, run]));
  return after.flatMap(({ run }) => {
    const issue = `${run.repo}#${run.number}`;
    const found = earlier.get(issue);
    return found === undefined || resultOf(found) === resultOf(run)
      ? []
      : [{ issue, before: found, after: run }];
  });
}
