import type { PullRequestFacts } from "../pull-request-facts.ts";

/** Reads the pull requests linked to an issue. The adapter stands beside GitHub's; the lifecycle only takes what it says. */
export interface PullRequestObserver {
  /** Every pull request that closes or mentions the issue as its own work. Never rejects: a failed query is `failed`. */
  observe(issue: { repo: string; number: number }, signal: AbortSignal): Promise<PullRequestObservation>;
}

export type PullRequestObservation =
  | { type: "observed"; pullRequests: readonly PullRequestFacts[] }
  /** O13: it says nothing, so nothing is written and nobody is told. */
  | { type: "failed" };
