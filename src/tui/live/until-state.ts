import type { Clock } from "agent-tty/kit";
import type { TrackedState } from "../tracked-state.ts";

export interface StateWait {
  clock: Clock;
  timeoutMs: number;
  /** Rejects with the signal's reason. */
  signal: AbortSignal | null;
  /** Ends the wait like a timeout. */
  end: AbortSignal;
}

/** Resolves with the first state that matches, either the current or a later one, or with null when the wait ends first. */
export async function untilState(
  tracker: { readonly state: TrackedState; subscribe(listener: (state: TrackedState) => void): Disposable },
  holds: (state: TrackedState) => boolean,
  { clock, timeoutMs, signal, end }: StateWait,
): Promise<TrackedState | null> {
  signal?.throwIfAborted();
  if (holds(tracker.state)) return tracker.state;
  const over = new AbortController();
  let settle: (state: TrackedState | null) => void = () => undefined;
  let fail: (reason: unknown) => void = () => undefined;
  const found = new Promise<TrackedState | null>((resolve, reject) => ([settle, fail] = [resolve, reject]));
  using _watch = tracker.subscribe((state) => holds(state) && settle(state));
  using _timer = clock.schedule(timeoutMs, () => settle(null));
  signal?.addEventListener("abort", () => fail(signal.reason), { signal: over.signal });
  end.addEventListener("abort", () => settle(null), { signal: over.signal });
  try {
    return end.aborted ? null : await found;
  } finally {
    over.abort();
  }
}
