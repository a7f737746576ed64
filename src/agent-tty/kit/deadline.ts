import type { Clock } from "./clock.ts";

/** A deadline is a signal: it aborts with `DeadlineExceeded` after `durationMs`, or with the parent's reason. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

export class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";
  readonly attempted: string;
  readonly durationMs: number;
  constructor(attempted: string, durationMs: number) {
    super(`${attempted} did not finish within ${durationMs} ms`);
    this.attempted = attempted;
    this.durationMs = durationMs;
  }
}

/** Starts a deadline. `attempted` names the operation in the error's message, e.g. `"the Coder workspace build"`. */
export function startDeadline(
  clock: Clock,
  attempted: string,
  durationMs: number,
  parent?: AbortSignal,
): Deadline {
  const controller = new AbortController();
  const timer = clock.schedule(durationMs, () =>
    controller.abort(new DeadlineExceeded(attempted, durationMs)),
  );
  const signal = parent === undefined ? controller.signal : AbortSignal.any([parent, controller.signal]);
  return { signal, [Symbol.dispose]: () => timer[Symbol.dispose]() };
}

/** Settles as `work` does, or rejects with the signal's reason as soon as the signal aborts. The work itself is not stopped. */
export async function raceSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}

/**
 * Returns whether `work` resolves within `durationMs`. Rejects with its error, or with the signal's reason. The work itself is
 * not stopped.
 */
export async function resolvesWithin(
  work: Promise<unknown>,
  durationMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  using time = startDeadline(clock, "the wait", durationMs, signal);
  try {
    await raceSignal(work, time.signal);
    return true;
  } catch (error) {
    if (signal.aborted || !time.signal.aborted) throw error;
    return false;
  }
}
