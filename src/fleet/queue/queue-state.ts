import type { QueueState } from "./port.ts";

interface RepositoryRow {
  repository_id: number;
  waiting: number;
  running: number;
  /** The time for which the longest-waiting visit has been due, in milliseconds; 0 or less: no visit waits. */
  oldest_ms: number;
}

/** Returns the state of a queue from one row per repository. */
export function queueState(workers: number, rows: readonly RepositoryRow[]): QueueState {
  return {
    waiting: rows.reduce((total, { waiting }) => total + waiting, 0),
    running: rows.reduce((total, { running }) => total + running, 0),
    oldestMs: Math.max(0, ...rows.map(({ oldest_ms: oldestMs }) => oldestMs)),
    workers,
    byRepository: rows.map(({ repository_id: repositoryId, waiting, running, oldest_ms: oldestMs }) => ({
      repositoryId,
      waiting,
      running,
      oldestMs: Math.max(0, oldestMs),
    })),
  };
}
