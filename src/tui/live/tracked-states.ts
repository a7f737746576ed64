import type { TrackedState } from "../tracked-state.ts";
import type { LiveTracker } from "./live-tracker.ts";

/** A reader that is slower than the terminal misses intermediate states, never the last one. */
const MAX_WAITING = 256;

/** Yields the present state and every later one that differs, until the signal aborts. */
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
