import { type Clock, OperationalError } from "agent-tty/kit";
import type { Change } from "./change-log.ts";
import type { Store } from "./store.ts";

export type FollowedChange =
  | { type: "change"; change: Change }
  /**
   * Changes after the reader's cursor are no longer, or not yet, in this log: it was shortened, or is another file.
   * Whoever mirrors the store reads all of it anew; the changes that follow come after `seq`.
   */
  | { type: "truncated"; seq: number };

export interface FollowOptions {
  clock: Clock;
  /** The sequence already known: a reader goes on after it, also in another process (0: from the start). */
  cursor: number;
  /** Ends the iteration; it does not throw. */
  signal: AbortSignal;
  /** Between two looks when there was nothing new, in milliseconds. */
  intervalMs?: number;
  /** Changes read at once. */
  batchSize?: number;
}

export const followDefaults = { intervalMs: 100, batchSize: 512 } as const;

/**
 * O21: every change once, in order, without a gap, as long as the caller takes them. Throws like the store; a store
 * that is only busy is asked again.
 */
export async function* followChanges(store: Store, options: FollowOptions): AsyncGenerator<FollowedChange> {
  const { clock, signal, intervalMs, batchSize } = { ...followDefaults, ...options };
  let { cursor } = options;
  while (!signal.aborted) {
    const changes = unlessBusy(() => store.changesSince(cursor, batchSize));
    for (const change of changes) {
      // Sequences have no gaps: one that is missing was deleted.
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
