import type { PullRequestFacts } from "./pull-request-facts.ts";

/**
 * Reads the pull requests linked to an issue. Its adapter is part of the GitHub code; the lifecycle only consumes the
 * result.
 */
export interface PullRequestObserver {
  /** Observes every pull request of the run. Never rejects: a failed query is `failed`. */
  observe(run: ObservedRun, signal: AbortSignal): Promise<PullRequestObservation>;
}

export interface ObservedRun {
  /** `owner/name` */
  repo: string;
  number: number;
  /** The start of the run. Pull requests that ended before it belong to an earlier run of the issue. */
  sinceMs: number;
}

export type PullRequestObservation =
  | { type: "observed"; pullRequests: readonly PullRequestFacts[] }
  /** The pull requests in `unread` could not be read and keep their last known facts (O13). */
  | { type: "partly-observed"; pullRequests: readonly PullRequestFacts[]; unread: readonly number[] }
  /** The query failed, so nothing is written and no nudge is sent (O13). */
  | { type: "failed" };
