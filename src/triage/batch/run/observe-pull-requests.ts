import { type Clock, messageOf, startDeadline } from "agent-tty/kit";
import {
  type GithubReader,
  issueKey,
  type LinkedPullRequest,
  type LinkedPullRequests,
  type RepositoryName,
} from "../../../github/index.ts";
import type {
  ObservedRun,
  PullRequestFacts,
  PullRequestObservation,
  PullRequestObserver,
  RunOwner,
} from "../../../runs/index.ts";
import type { BatchObserver } from "../batch-event.ts";

/** Long enough for two dozen requests, and no longer: the next look comes soon. */
const LOOK_DEADLINE_MS = 60_000;

interface WatchPorts extends LookPorts {
  observe: BatchObserver;
}

/**
 * O15, O16: looks at the pull requests of a live run's issue once every interval, the first time after one: most runs end
 * before that and cost GitHub nothing. A look that fails says nothing, and ends nothing (O13). Until disposed.
 */
export function watchPullRequests(owner: RunOwner, intervalMs: number, ports: WatchPorts): Disposable {
  const stop = new AbortController();
  const observer = createPullRequestObserver(ports);
  let timer: Disposable | null = null;
  const later = (): void => {
    if (!stop.signal.aborted) timer = ports.clock.schedule(intervalMs, () => void next());
  };
  const next = async (): Promise<void> => {
    await look(owner, observer, ports, stop.signal);
    later();
  };
  later();
  return {
    [Symbol.dispose]: () => {
      stop.abort(new Error("the Triage Agent has ended"));
      timer?.[Symbol.dispose]();
    },
  };
}

/** Never rejects: a Session that is taken down while a nudge is typed is no defect, and no news. */
async function look(
  owner: RunOwner,
  observer: PullRequestObserver,
  { observe }: Pick<WatchPorts, "observe">,
  signal: AbortSignal,
): Promise<void> {
  try {
    const observation = await observer.observe(observedRun(owner.facts), signal);
    if (!signal.aborted) await owner.observePullRequests(observation, signal);
  } catch (error) {
    if (signal.aborted) return;
    const message = `${owner.key}: its pull requests were not acted on: ${messageOf(error)}`;
    observe({ type: "warning", message });
  }
}

/** GitHub's pull requests as a run's facts. */
export function createPullRequestObserver(ports: LookPorts): PullRequestObserver {
  return {
    observe: async (run, signal) => {
      try {
        return await lookOnce(run, ports, signal);
      } catch {
        return { type: "failed" };
      }
    },
  };
}

export interface LookPorts {
  reader: Pick<GithubReader, "linkedPullRequests">;
  clock: Clock;
}

/** Rejects like the reader, or when it took too long. */
export async function lookOnce(
  run: ObservedRun,
  { reader, clock }: LookPorts,
  signal: AbortSignal,
): Promise<PullRequestObservation> {
  const ref = { repo: run.repo as RepositoryName, number: run.number };
  const attempted = `looking at the pull requests of ${issueKey(ref)}`;
  using deadline = startDeadline(clock, attempted, LOOK_DEADLINE_MS, signal);
  return observationOf(await reader.linkedPullRequests(ref, deadline.signal), run.sinceMs);
}

/**
 * The run as observers of pull requests need it; `sinceMs` is when its first phase began, in epoch milliseconds.
 */
export function observedRun(facts: RunOwner["facts"]): ObservedRun {
  const { repo, number, progress } = facts;
  return { repo, number, sinceMs: progress.history[0]?.atMs ?? 0 };
}

function observationOf(linked: LinkedPullRequests, sinceMs: number): PullRequestObservation {
  if (linked.type === "unknown") return { type: "failed" };
  const { unread } = linked;
  // GitHub tells whole seconds.
  const fromMs = Math.floor(sinceMs / 1_000) * 1_000;
  const pullRequests = linked.pullRequests
    .filter(({ endedAt }) => endedAt === null || Date.parse(endedAt) >= fromMs)
    .map(factsOf);
  return unread.length === 0
    ? { type: "observed", pullRequests }
    : { type: "partly-observed", pullRequests, unread };
}

function factsOf({ updatedAt, endedAt: _endedAt, ...facts }: LinkedPullRequest): PullRequestFacts {
  return { ...facts, updatedAtMs: Date.parse(updatedAt) };
}
