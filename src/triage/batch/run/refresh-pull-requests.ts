import pLimit from "p-limit";
import { closedGate, RunService, type RunJournal, type TriageRunFacts } from "../../../runs/index.ts";
import { type LookPorts, lookOnce, observedRun } from "./observe-pull-requests.ts";

/**
 * The maximum number of looks, each of which costs at least one request. To look at further issues, a person names their
 * repository.
 */
const MAX_LOOKS = 100;
const LOOKS_AT_ONCE = 5;

interface RefreshedRuns {
  looked: number;
  /** Issues that are gone or may not be read; the known facts of their pull requests stay. */
  unknown: number;
  /** Runs that are not settled; their own parents look at their pull requests. */
  live: number;
  /** Runs beyond the maximum, which are the oldest ones. */
  left: number;
}

/**
 * Looks once at the pull requests of settled runs, in the given order, and stores what it sees. Rejects like the reader; what it
 * saw until then is stored.
 */
export async function refreshPullRequests(
  runs: readonly TriageRunFacts[],
  ports: LookPorts & { journal: RunJournal },
  signal: AbortSignal,
): Promise<RefreshedRuns> {
  const settled = runs.filter(({ progress }) => progress.phase === "settled");
  const service = new RunService({
    journal: ports.journal,
    onUnsaved: (error) => {
      throw error;
    },
    clock: ports.clock,
    stopError: (reason) => new Error(reason),
  });
  const limit = pLimit(LOOKS_AT_ONCE);
  const failed = new AbortController();
  const eitherSignal = AbortSignal.any([signal, failed.signal]);
  const looking = settled.slice(0, MAX_LOOKS).map((facts) =>
    limit(async () => {
      try {
        const observation = await lookOnce(observedRun(facts), ports, eitherSignal);
        const { lifecycle } = service.open(facts).owner;
        await lifecycle.observePullRequests(observation, closedGate, eitherSignal);
        return observation.type;
      } catch (error) {
        failed.abort(error);
        throw error;
      }
    }),
  );
  // All lookups and writes have ended when this returns or rejects.
  await Promise.allSettled(looking);
  failed.signal.throwIfAborted();
  const observed = await Promise.all(looking);
  return {
    looked: observed.length,
    unknown: observed.filter((type) => type === "failed").length,
    live: runs.length - settled.length,
    left: Math.max(0, settled.length - MAX_LOOKS),
  };
}
