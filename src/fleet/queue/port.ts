import type { HeldVisit, Visit, VisitEnd, WantedVisit } from "./visit.ts";

/**
 * The queue of a fleet. Two adapters: `postgres/` for many machines, and one for a single process on SQLite. Both give each
 * visit to one worker at a time, hold the caps, and give the visits of a dead worker to another one.
 */
export interface VisitQueue {
  /**
   * Wants a visit. One that already waits stays at its place (an urgent one may move forward) and becomes due at the earliest time
   * that was wanted; while the visit runs, another one follows it.
   */
  enqueue(visit: WantedVisit): Promise<void>;
  /**
   * Works on visits, at most `parallelism` at once, until `stop` aborts and those that began are over. A visit that rejects is
   * tried again later, without end: deliveries and polls tell of an update once, so nobody else would want the visit again. Rejects
   * with FLEET_WORKER_REPLACED when others took over this worker's visits; `work.visit`'s signal aborts then.
   */
  work(work: VisitWork): Promise<void>;
  /** For metrics and the board. */
  state(): Promise<QueueState>;
  /** The fleet's judgement of the parent of a lease; null: it knows none. Only PostgreSQL knows other machines. */
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
  /** How long the visit that waits longest has been due, in milliseconds; 0: none waits. */
  oldestMs: number;
  workers: number;
  byRepository: RepositoryQueue[];
}

export interface RepositoryQueue extends Pick<Visit, "repositoryId"> {
  waiting: number;
  running: number;
  /** How long its visit that waits longest has been due, in milliseconds; 0: none waits. */
  oldestMs: number;
}

/**
 * Milliseconds until attempt number `attempt` + 1: the backoff of graphile-worker, e to the power of the attempt in seconds, six
 * hours at most.
 */
export function backoffMs(attempt: number): number {
  return 1_000 * Math.exp(Math.min(10, attempt));
}
