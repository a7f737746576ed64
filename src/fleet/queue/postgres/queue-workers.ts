import { EventEmitter } from "node:events";
import { type Clock, messageOf } from "agent-tty/kit";
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

/** The interval at which a free worker checks for visits without a notification: visits that became due, or were taken over. */
const POLL_MS = 1_000;

export interface QueueWorkersOptions {
  pool: Pool;
  parallelism: number;
  task: (payload: unknown, helpers: JobHelpers) => Promise<void>;
  clock: Pick<Clock, "schedule" | "sleep">;
  /** Publishes the names to the other processes. It is called before a worker takes its first visit, until it succeeds. */
  register: () => Promise<void>;
  onFailure: (message: string) => void;
}

/** The queue engine's workers in this process. */
export interface QueueWorkers {
  /** The names by which they lock visits. */
  names(): readonly string[];
  /** The names of the workers that are idle at the moment. */
  idle(): readonly string[];
  /** The names of the workers that ended permanently, and may still lock visits. */
  readonly ended: Set<string>;
  /** Takes no further visit, and resolves when the running visits are over. */
  drain(): Promise<void>;
}

export const VISIT_TASK = "afk-triage:visit";

/** The engine's workers that share one connection for notifications of new visits. */
interface Group {
  pool: WorkerPool;
  living: Set<Worker>;
}

/**
 * Starts `parallelism` workers of graphile-worker. A worker that cannot store the end of its visit, because PostgreSQL is
 * unreachable or refuses to write, ends permanently; a new worker replaces it. The engine keeps the failure of a group's very
 * first statement forever, so a group that fails before it could ask for a visit is replaced too, until a group succeeds. A group
 * whose workers have all ended closes its connection, so a process listens on at most `parallelism` + 1 connections, however many
 * outages there are.
 */
export function startQueueWorkers(options: QueueWorkersOptions): QueueWorkers {
  const { pool, parallelism, task, clock, register, onFailure } = options;
  const groups = new Set<Group>();
  const ended = new Set<string>();
  const replacements = new Set<Disposable>();
  let isDraining = false;
  const drained = new AbortController();
  const registered = async (): Promise<void> => {
    for (let isTold = false; ; isTold = true) {
      try {
        return await register();
      } catch (error) {
        if (!isTold) onFailure(`register a worker of the queue: ${messageOf(error)}`);
      }
      await clock.sleep(POLL_MS, drained.signal);
    }
  };
  const logger = new Logger(() => (level: string, message) => {
    if (level === "error") onFailure(message);
  });
  const tasks: TaskList = { [VISIT_TASK]: task };
  const preset = { plugins: [beforeFirstClaim(registered)] };
  const close = (group: Group): void => {
    groups.delete(group);
    group.pool.gracefulShutdown().catch((error: unknown) => onFailure(messageOf(error)));
  };
  const start = (concurrency: number): void => {
    const events: WorkerEvents = new EventEmitter();
    const living = new Set<Worker>();
    let hasAsked = false;
    const asked = (): void => void (hasAsked = true);
    events.on("worker:create", ({ worker }) => void living.add(worker));
    events.on("worker:fatalError", ({ worker }) => {
      living.delete(worker);
      ended.add(worker.workerId);
      if (!isDraining) start(1);
    });
    events.on("worker:getJob:empty", asked);
    events.on("job:start", asked);
    events.on("worker:getJob:error", () => {
      if (isDraining || hasAsked || !groups.has(group)) return;
      close(group);
      const replacement = clock.schedule(POLL_MS, () => {
        replacements.delete(replacement);
        if (!isDraining) start(concurrency);
      });
      replacements.add(replacement);
    });
    events.on("worker:stop", () => {
      if (!isDraining && living.size === 0 && groups.has(group)) close(group);
    });
    const run = { concurrency, noHandleSignals: true, pollInterval: POLL_MS, events, logger, preset };
    const group: Group = { pool: runTaskList(run, tasks, pool), living };
    groups.add(group);
  };
  start(parallelism);
  const workers = (): Worker[] => [...groups].flatMap(({ living }) => Array.from(living));
  return {
    names: () => workers().map(({ workerId }) => workerId),
    idle: () => workers().flatMap((worker) => (worker.getActiveJob() === null ? [worker.workerId] : [])),
    ended,
    drain: async () => {
      isDraining = true;
      drained.abort();
      for (const replacement of replacements) replacement[Symbol.dispose]();
      await Promise.all([...groups].map((group) => group.pool.gracefulShutdown()));
    },
  };
}

/**
 * Returns the hook that the engine waits for before a worker takes its first visit. The engine may call the hook while it still
 * creates the workers, so the names are read one tick later; otherwise the first registration would contain no names.
 */
function beforeFirstClaim(register: () => Promise<void>): GraphileConfig.Plugin {
  const startWorker = async (): Promise<void> => {
    await Promise.resolve();
    await register();
  };
  return { name: "afk-triage", version: "1", worker: { hooks: { startWorker } } };
}
