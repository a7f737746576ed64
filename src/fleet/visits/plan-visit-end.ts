import type { VisitEnd } from "../queue/index.ts";

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 24 * 3_600_000];
const BACKOFF = 4;

/** The end of an issue's part of a batch. */
export interface IssueEnd {
  status: "applied" | "skipped" | "locked" | "requeued" | "failed";
  /** The same as in the summary of a batch. */
  reason: string;
  /** Triage Runs of the issue that failed in a row, this one included. */
  failures: number;
}

/** Temporary reasons that end without a change on GitHub, so no delivery reports it, with the delay until the next visit. */
const PASSING: Readonly<Record<string, number>> = {
  "failed-recently": HOUR_MS,
  cooldown: DAY_MS,
  "batch-budget-spent": HOUR_MS,
  "workspace-quota": 5 * MINUTE_MS,
  "model-budget-spent": HOUR_MS,
  // The repository was renamed, transferred or is no longer followed, and the fleet's list is not updated yet.
  "repository-missing": HOUR_MS,
  "repository-closed": DAY_MS,
  draining: 0,
  "visit-lost": 0,
};

/**
 * Returns whether, and after how many milliseconds, the issue is visited again without a further change on GitHub. Pure. From the
 * third failure in a row on, each wait is four times as long as the one before, at most `cooldownMs`.
 */
export function planVisitEnd({ status, reason, failures }: IssueEnd, cooldownMs: number): VisitEnd {
  const again = (delayMs: number): VisitEnd => ({ type: "again", delayMs });
  switch (status) {
    case "applied":
      return { type: "done" };
    case "skipped": {
      const delayMs = PASSING[reason];
      return delayMs === undefined ? { type: "done" } : again(delayMs);
    }
    case "locked":
    case "requeued":
      return again(PASSING[reason] ?? MINUTE_MS);
    case "failed":
      return again(failures <= 1 ? MINUTE_MS : Math.min(cooldownMs, HOUR_MS * BACKOFF ** (failures - 2)));
  }
}
