import type { PullRequestFacts } from "../pull-request-facts.ts";

/** Reads the pull requests linked to an issue. The adapter stands beside GitHub's; the lifecycle only takes what it says. */
export interface PullRequestObserver {
  /** Every pull request of the run's own. Never rejects: a failed query is `failed`. */
  observe(run: ObservedRun, signal: AbortSignal): Promise<PullRequestObservation>;
}

export interface ObservedRun {
  /** `owner/name` */
  repo: string;
  number: number;
  /** When the run began: what ended before belongs to an earlier life of the issue. */
  sinceMs: number;
}

export type PullRequestObservation =
  | { type: "observed"; pullRequests: readonly PullRequestFacts[] }
  /** Nothing is known of the pull requests `unread`, so that they stay what they were (O13). */
  | { type: "partly-observed"; pullRequests: readonly PullRequestFacts[]; unread: readonly number[] }
  /** O13: it says nothing, so nothing is written and nobody is told. */
  | { type: "failed" };
