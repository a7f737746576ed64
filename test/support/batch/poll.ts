import { systemClock } from "agent-tty/kit";

const POLL_MS = 10;
const MAX_POLL_MS = 50;

/** Calls `ask` until it returns a value; rejects after `patienceMs` with the name of what it was waiting for. */
export async function poll<T>(
  what: string,
  ask: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  patienceMs = 150_000,
): Promise<T> {
  const endsMs = systemClock.monotonicMs() + patienceMs;
  for (;;) {
    const askedMs = systemClock.monotonicMs();
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (systemClock.monotonicMs() > endsMs) throw new Error(`waited ${patienceMs} ms for ${what}`);
    // A check of all processes takes milliseconds of processor time, which the awaited work needs, so the pause is four times as
    // long.
    const tookMs = systemClock.monotonicMs() - askedMs;
    await systemClock.sleep(Math.min(MAX_POLL_MS, Math.max(POLL_MS, 4 * tookMs)));
  }
}
