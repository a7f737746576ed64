/** PostgreSQL's record of one fleet worker. */
export interface WorkerFact {
  owner: string;
  /** Grows by one with every sign of life. */
  beat: number;
  /** Whether the session that holds the worker's advisory lock is there. A SIGKILL ends it within milliseconds. */
  isConnected: boolean;
}

/** Since when, on this process's own clock, a worker has shown the same. */
export type Seen = ReadonlyMap<string, WorkerFact & { sinceMs: number }>;

/** Silent and disconnected for so long: dead. A worker that reconnects after a restart of PostgreSQL does it sooner. */
const DISCONNECTED_MS = 3_000;
/** Silent for so long though connected, as a paused process is: replaced. */
const SILENT_MS = 8_000;

/**
 * Pure: who is dead. Times are what this process has itself seen in a row, never clocks of other machines, and `seen` starts
 * empty after every failure of the database: when PostgreSQL comes back, nobody is dead because all were silent.
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
