import type { TrackedState } from "../tracked-state.ts";
import type { LiveTracker } from "./live-tracker.ts";

/**
 * The largest number of waiting states. A reader that is slower than the terminal misses intermediate states, but never the last
 * one.
 */
const MAX_WAITING = 256;

/** Yields the current state and every later one that differs, until the signal aborts. */
export async function* trackedStates(
  tracker: LiveTracker,
  signal: AbortSignal,
): AsyncGenerator<TrackedState, void, undefined> {
  const waiting: TrackedState[] = [tracker.state];
  let wake = (): void => undefined;
  using _watch = tracker.subscribe((state) => {
    if (waiting.length === MAX_WAITING) waiting.shift();
    waiting.push(state);
    wake();
  });
  const onAbort = (): void => wake();
  signal.addEventListener("abort", onAbort);
  try {
    while (!signal.aborted) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
