/** One item of the queue: look at this issue. Whether anything is done about it, eligibility decides as ever. */
export interface Visit {
  repositoryId: number;
  number: number;
}

export interface WantedVisit extends Visit {
  /** The account of the repository, for the cap of an organisation. */
  owner: string;
  /** Goes before the other visits of its repository: a sign of a vulnerability, or a reporter's reply. */
  isUrgent: boolean;
  /** Not before this many milliseconds from now. */
  delayMs: number;
}

/** A visit that this worker holds. */
export interface HeldVisit extends Visit {
  /** From 1; a takeover counts. */
  attempt: number;
  /** The fence: whether the visit is still this worker's. Waits for a database that is away until `signal` aborts. */
  isOurs(signal: AbortSignal): Promise<boolean>;
}

/** `again`: the visit is wanted once more after `delayMs`. */
export type VisitEnd = { type: "done" } | { type: "again"; delayMs: number };

/** The visits that wait or run for one issue have one key, so that an issue is never visited twice at once. */
export function visitKey({ repositoryId, number }: Visit): string {
  return `${repositoryId}#${number}`;
}
