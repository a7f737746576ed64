import type { HeldVisit, Visit, VisitEnd, WantedVisit } from "./visit.ts";

/**
 * The queue of a fleet. It has two adapters: `postgres/` for many machines, and one for a single process on SQLite. Both assign
 * each visit to one worker at a time, enforce the caps, and reassign the visits of a dead worker.
 */
export interface VisitQueue {
  /**
   * Requests a visit. A visit that already waits keeps its place (an urgent request may move it forward) and becomes due at the
   * earliest requested time. If the visit is running, another visit follows it.
   */
  enqueue(visit: WantedVisit): Promise<void>;
  /**
   * Works on visits, at most `parallelism` at once, until `stop` aborts and the visits that began are over. A visit that rejects
   * is retried later, without a limit: deliveries and polls report an update only once, so nothing else would request the visit
   * again. Rejects with FLEET_WORKER_REPLACED when other workers took over this worker's visits; the `lost` signal of
   * `work.visit` aborts then.
   */
  work(work: VisitWork): Promise<void>;
  /** Returns the numbers of visits and workers, for metrics and the board. */
  state(): Promise<QueueState>;
  /**
   * Returns whether the fleet considers the parent of a lease alive; null if it is unknown. Only the PostgreSQL adapter has facts
   * about other machines.
   */
  parentState(parent: string): Promise<"alive" | "dead" | null>;
}

export interface VisitWork {
  parallelism: number;
  visit: (held: HeldVisit, lost: AbortSignal) => Promise<VisitEnd>;
  stop: AbortSignal;
}

export interface QueueState {
  waiting: number;
  running: number;
  /** The time for which the longest-waiting visit has been due, in milliseconds; 0: no visit waits. */
  oldestMs: number;
  workers: number;
  byRepository: RepositoryQueue[];
}

export interface RepositoryQueue extends Pick<Visit, "repositoryId"> {
  waiting: number;
  running: number;
  /** The time for which the repository's longest-waiting visit has been due, in milliseconds; 0: no visit waits. */
  oldestMs: number;
}

/**
 * Returns the milliseconds until attempt number `attempt` + 1. It uses graphile-worker's backoff: e to the power of the attempt,
 * in seconds, at most about six hours.
 */
export function backoffMs(attempt: number): number {
  return 1_000 * Math.exp(Math.min(10, attempt));
}
