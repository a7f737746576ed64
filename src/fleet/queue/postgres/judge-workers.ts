/** PostgreSQL's record of one fleet worker. */
export interface WorkerFact {
  owner: string;
  /** The number of beats so far. */
  beat: number;
  /**
   * Whether the database session that holds the worker's advisory lock exists. A SIGKILL of the worker ends the session within
   * milliseconds.
   */
  isConnected: boolean;
}

/** The last fact about each worker, and since when, on this process's own clock, it has been unchanged. */
export type Seen = ReadonlyMap<string, WorkerFact & { sinceMs: number }>;

/**
 * A worker that sends no beat and is disconnected for this long is dead. A worker that reconnects after a restart of PostgreSQL
 * does so sooner.
 */
const DISCONNECTED_MS = 3_000;
/** A worker that sends no beat for this long although it is connected, such as a paused process, is replaced. */
const SILENT_MS = 8_000;

/**
 * Returns the workers that are dead, and the facts for the next call as `seen`. Pure. Times are measured by this process without
 * interruption, never taken from clocks of other machines. `seen` starts empty after every failure of the database, so that after
 * an outage, during which all workers were silent, none counts as dead.
 */
export function judgeWorkers(
  facts: readonly WorkerFact[],
  seen: Seen,
  nowMs: number,
): { dead: string[]; seen: Seen } {
  const next = new Map(
    facts.map((fact) => {
      const before = seen.get(fact.owner);
      const isSame = before?.beat === fact.beat && before.isConnected === fact.isConnected;
      return [fact.owner, { ...fact, sinceMs: isSame ? before.sinceMs : nowMs }];
    }),
  );
  const dead = [...next.values()].filter(
    ({ sinceMs, isConnected }) => nowMs - sinceMs >= (isConnected ? SILENT_MS : DISCONNECTED_MS),
  );
  return { dead: dead.map(({ owner }) => owner), seen: next };
}
