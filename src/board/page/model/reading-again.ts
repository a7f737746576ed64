import type { PageClock } from "../browser/index.ts";
import { failureOf, isPassing } from "../data/index.ts";

const LONGEST_MS = 15_000;

/**
 * Schedules another read when the board did not answer or failed, no earlier than the board asked for. A refusal is not retried.
 */
export function pauseBeforeReadingAgain(
  clock: PageClock,
  failures: number,
  error: unknown,
  read: () => void,
): void {
  const failure = failureOf(error);
  if (!isPassing(failure)) return;
  const pauseMs = Math.min(LONGEST_MS, 1_000 * 2 ** (failures - 1));
  clock.schedule(Math.max(failure.retryAfterMs ?? 0, pauseMs), read);
}
