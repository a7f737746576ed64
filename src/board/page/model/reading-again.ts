import type { PageClock } from "../browser/index.ts";
import { failureOf } from "../data/index.ts";

const LONGEST_MS = 15_000;

/** Schedules another read when the board did not answer. A refusal is not retried. */
export function pauseBeforeReadingAgain(
  clock: PageClock,
  failures: number,
  error: unknown,
  read: () => void,
): void {
  if (failureOf(error).code !== "BOARD_UNREACHABLE") return;
  clock.schedule(Math.min(LONGEST_MS, 1_000 * 2 ** (failures - 1)), read);
}
