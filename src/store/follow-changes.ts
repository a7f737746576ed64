import { type Clock, OperationalError } from "agent-tty/kit";
import type { Change } from "./change-log.ts";
import type { Store } from "./store.ts";

export type FollowedChange =
  | { type: "change"; change: Change }
  /**
   * The log does not contain all changes after the reader's cursor: old changes were deleted, or the file was replaced. A reader
   * that mirrors the store must read all of it again; the next changes come after `seq`.
   */
  | { type: "truncated"; seq: number };

export interface FollowOptions {
  clock: Clock;
  /** The sequence after which the reader continues; it is also valid in another process. 0 means from the start. */
  cursor: number;
  /** Ends the iteration without an error. */
  signal: AbortSignal;
  /** The pause between two reads when there was no change, in milliseconds. */
  intervalMs?: number;
  /** The maximum number of changes that are read at once. */
  batchSize?: number;
}

export const followDefaults = { intervalMs: 100, batchSize: 512 } as const;

/**
 * Yields every change once, in order and without a gap, until the signal aborts (O21). Throws like the store, but
 * retries when the store is busy.
 */
export async function* followChanges(store: Store, options: FollowOptions): AsyncGenerator<FollowedChange> {
  const { clock, signal, intervalMs, batchSize } = { ...followDefaults, ...options };
  let { cursor } = options;
  while (!signal.aborted) {
    const changes = unlessBusy(() => store.changesSince(cursor, batchSize));
    for (const change of changes) {
      // Sequences have no gaps, so a missing one was deleted.
      if (change.seq !== cursor + 1) yield { type: "truncated", seq: change.seq - 1 };
      cursor = change.seq;
      yield { type: "change", change };
      if (signal.aborted) return;
    }
    if (changes.length > 0) continue;
    const last = unlessBusy(() => [store.lastChange()])[0];
    if (last !== undefined && last < cursor) {
      cursor = last;
      yield { type: "truncated", seq: cursor };
    }
    await clock.sleep(intervalMs, signal).catch(() => undefined);
  }
}

function unlessBusy<T>(read: () => T[]): T[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof OperationalError && error.code === "STORE_UNWRITABLE") return [];
    throw error;
  }
}
