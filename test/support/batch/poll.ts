import { systemClock } from "agent-tty/kit";

const POLL_MS = 10;
const MAX_POLL_MS = 50;

/** Asks until the answer is something; fails after `patienceMs`, saying what it was waiting for. */
export async function poll<T>(
  what: string,
  ask: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  patienceMs = 80_000,
): Promise<T> {
  const endsMs = systemClock.monotonicMs() + patienceMs;
  for (;;) {
    const askedMs = systemClock.monotonicMs();
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (systemClock.monotonicMs() > endsMs) throw new Error(`waited ${patienceMs} ms for ${what}`);
    // A look at all processes takes milliseconds of a processor that what is waited for needs.
    const tookMs = systemClock.monotonicMs() - askedMs;
    await systemClock.sleep(Math.min(MAX_POLL_MS, Math.max(POLL_MS, 4 * tookMs)));
  }
}
