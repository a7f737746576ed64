/** One item of the queue: a request to check this issue. Eligibility decides whether it is triaged. */
export interface Visit {
  repositoryId: number;
  number: number;
}

export interface WantedVisit extends Visit {
  /** The account that owns the repository, for the cap per owner. */
  owner: string;
  /**
   * Whether the visit runs before the other visits of its repository: the issue may report a vulnerability, or the reporter
   * replied.
   */
  isUrgent: boolean;
  /** The visit begins at the earliest this many milliseconds from now. */
  delayMs: number;
}

/** A visit that this worker holds. */
export interface HeldVisit extends Visit {
  /** The number of the attempt, from 1. A takeover counts as an attempt. */
  attempt: number;
  /**
   * Returns whether the visit still belongs to this worker: the fence. While the database is unreachable, it waits for the database
   * until `signal` aborts.
   */
  isOurs(signal: AbortSignal): Promise<boolean>;
}

/** `again`: the issue is to be visited again after `delayMs`. */
export type VisitEnd = { type: "done" } | { type: "again"; delayMs: number };

/**
 * Returns the key of an issue's visits. All visits of one issue have the same key, so that the issue is never visited twice at
 * once.
 */
export function visitKey({ repositoryId, number }: Visit): string {
  return `${repositoryId}#${number}`;
}
