import { systemClock } from "agent-tty/kit";

const POLL_MS = 10;

/** Asks until the answer is something; fails after `patienceMs`, saying what it was waiting for. */
export async function poll<T>(
  what: string,
  ask: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  patienceMs = 80_000,
): Promise<T> {
  const endsMs = systemClock.monotonicMs() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (systemClock.monotonicMs() > endsMs) throw new Error(`waited ${patienceMs} ms for ${what}`);
    await systemClock.sleep(POLL_MS);
  }
}
