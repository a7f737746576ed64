import { type Clock, messageOf } from "agent-tty/kit";
import { askedWaitMs, isOutage } from "./failures.ts";

/** The wait before an attempt that GitHub did not answer is repeated; doubled each time. In milliseconds. */
const FIRST_DELAY_MS = 3_000;
const MAX_DELAY_MS = 60_000;

/** Returns the wait after `failures` failures in a row (from 1), in milliseconds. Pure. */
export function outageDelayMs(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 30), MAX_DELAY_MS);
}

interface Patience {
  clock: Clock;
  /** The longest wait for a rate limit, in milliseconds. */
  patienceMs: number;
  /** Ends the waits. The attempt in hand goes on. */
  signal: AbortSignal;
  /** The wait after an outage, in milliseconds; null or absent: `outageDelayMs`. */
  nextWaitMs?: () => number | null;
  /** Called before each wait. */
  warn: (failure: string) => void;
}

/**
 * Repeats an attempt while GitHub is unreachable or asks for a wait. Each attempt looks at the issue before it writes: people may
 * have decided during the wait, and a write without an answer may have taken effect. Rejects with the attempt's last failure.
 */
export async function untilGithubAnswers<Value>(
  attempt: () => Promise<Value>,
  { clock, patienceMs, signal, nextWaitMs, warn }: Patience,
): Promise<Value> {
  for (let [failures, limits] = [0, 0]; ;) {
    try {
      return await attempt();
    } catch (failure) {
      const askedMs = askedWaitMs(failure);
      const limitMs = askedMs === null ? null : askedMs * 2 ** limits;
      const isWaitedFor = limitMs === null ? isOutage(failure) : limitMs <= patienceMs;
      if (!isWaitedFor || signal.aborted) throw failure;
      if (limitMs === null) failures += 1;
      else limits += 1;
      warn(messageOf(failure));
      const waitMs = limitMs ?? nextWaitMs?.() ?? outageDelayMs(failures);
      await clock.sleep(waitMs, signal).catch(() => {
        throw failure;
      });
    }
  }
}
