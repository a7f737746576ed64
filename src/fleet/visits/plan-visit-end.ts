import type { VisitEnd } from "../queue/index.ts";

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 24 * 3_600_000];
const BACKOFF = 4;

/** How an issue's part of a batch ended. */
export interface IssueEnd {
  status: "applied" | "skipped" | "locked" | "requeued" | "failed";
  /** The same as in the summary of a batch. */
  reason: string;
  /** Triage Runs of the issue that failed in a row, this one included. */
  failures: number;
}

/** Reasons that pass with time alone, so that no delivery tells of it, and when to look again. */
const PASSING: Readonly<Record<string, number>> = {
  "failed-recently": HOUR_MS,
  cooldown: DAY_MS,
  "batch-budget-spent": HOUR_MS,
  "workspace-quota": 5 * MINUTE_MS,
  "model-budget-spent": HOUR_MS,
  // It was renamed or transferred, and its new name or that it is left is not known yet.
  "repository-missing": HOUR_MS,
  draining: 0,
  "visit-lost": 0,
};

/**
 * Pure: whether the issue is visited again although nothing more is said of it on GitHub, and after how many milliseconds. One
 * that fails again and again waits four times longer each time, at most `cooldownMs`.
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
