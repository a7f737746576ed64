import { EventEmitter } from "node:events";
import {
  type JobHelpers,
  Logger,
  runTaskList,
  type TaskList,
  type Worker,
  type WorkerEvents,
  type WorkerPool,
} from "graphile-worker";
import type { Pool } from "pg";

/** How soon a free worker sees a visit that nobody told it of: one that became due, or was taken over. */
const POLL_MS = 1_000;

export interface QueueWorkersOptions {
  pool: Pool;
  parallelism: number;
  task: (payload: unknown, helpers: JobHelpers) => Promise<void>;
  onFailure: (message: string) => void;
}

/** The engine's workers of this process. */
export interface QueueWorkers {
  /** The names by which they lock visits. */
  names(): readonly string[];
  /** Those that work on nothing at the moment. */
  idle(): readonly string[];
  /** Takes no further visit, and resolves when those that began are over. */
  drain(): Promise<void>;
}

export const VISIT_TASK = "afk-triage:visit";

/**
 * Starts `parallelism` workers of graphile-worker. One that cannot store the end of its visit, because PostgreSQL just went away,
 * ends for good; here another one takes its place.
 */
export function startQueueWorkers({ pool, parallelism, task, onFailure }: QueueWorkersOptions): QueueWorkers {
  const pools: WorkerPool[] = [];
  const workers = new Map<string, Worker>();
  let isDraining = false;
  const logger = new Logger(() => (level: string, message) => {
    if (level === "error") onFailure(message);
  });
  const tasks: TaskList = { [VISIT_TASK]: task };
  const start = (concurrency: number): void => {
    const events: WorkerEvents = new EventEmitter();
    events.on("worker:create", ({ worker }) => void workers.set(worker.workerId, worker));
    events.on("worker:fatalError", ({ worker }) => {
      // Its visit is locked by a name that nobody has any more, and is given to another worker for that.
      workers.delete(worker.workerId);
      if (!isDraining) start(1);
    });
    const options = { concurrency, noHandleSignals: true, pollInterval: POLL_MS, events, logger };
    pools.push(runTaskList(options, tasks, pool));
  };
  start(parallelism);
  return {
    names: () => [...workers.keys()],
    idle: () =>
      [...workers.values()].flatMap((worker) => (worker.getActiveJob() === null ? [worker.workerId] : [])),
    drain: async () => {
      isDraining = true;
      await Promise.all(pools.map((each) => each.gracefulShutdown()));
    },
  };
}
