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

/** The deadline of one look: enough for two dozen requests. It need not be longer, because the next look follows soon. */
const LOOK_DEADLINE_MS = 60_000;

interface WatchPorts extends LookPorts {
  observe: BatchObserver;
}

/**
 * Looks at the pull requests of a live run's issue once every interval until disposed (O15, O16). The first look follows after
 * one interval, because most runs end before that and then cost GitHub no request. A look that fails changes nothing and ends
 * nothing (O13).
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

/**
 * Takes one look. Never rejects: if the Session is taken down while a nudge is typed, that is neither a defect nor worth a
 * warning.
 */
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

/** Creates the observer that reads a run's pull requests from GitHub. */
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

/** Reads the pull requests of the run's issue once. Rejects like the reader, or after LOOK_DEADLINE_MS milliseconds. */
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
 * Returns the facts of the run that observers of pull requests need; `sinceMs` is when its first phase began, in epoch
 * milliseconds.
 */
export function observedRun(facts: RunOwner["facts"]): ObservedRun {
  const { repo, number, progress } = facts;
  return { repo, number, sinceMs: progress.history[0]?.atMs ?? 0 };
}

function observationOf(linked: LinkedPullRequests, sinceMs: number): PullRequestObservation {
  if (linked.type === "unknown") return { type: "failed" };
  const { unread } = linked;
  // GitHub's times are in whole seconds.
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
