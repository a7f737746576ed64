import type { Clock } from "../kit/index.ts";
import { type LoggedEvent, readEvents } from "./event-log-reader.ts";
import { fileChanges, type WatchFile } from "./file-changes.ts";

/** The Event Log as it grows, from `fromSeq` until the child's exit or the signal. Woken by the file where that can be watched. */
export async function* followEvents(
  directory: string,
  options: { fromSeq: number; signal: AbortSignal; clock: Clock; watch?: WatchFile },
): AsyncGenerator<LoggedEvent, void, undefined> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const { clock, watch } = options;
  const changes = fileChanges(directory, { clock, signal, watch });
  let [startOffset, fromSeq] = [0, options.fromSeq];
  // Events after an exit belong to the Session only when it was restarted.
  let held: LoggedEvent[] | null = null;
  try {
    for (;;) {
      // Asked for before reading, so that a change during the reading is not missed.
      const change = changes.next();
      change.catch(() => undefined);
      for await (const event of readEvents(directory, { startOffset, fromSeq })) {
        startOffset = event.endOffset;
        fromSeq = event.record.seq + 1;
        if (held === null) {
          yield event;
          held = event.record.type === "exit" ? [] : null;
        } else {
          held.push(event);
          if (event.record.type !== "restarted") continue;
          yield* held;
          held = null;
        }
      }
      if (held !== null) return;
      await change;
    }
  } catch (error) {
    if (!options.signal.aborted) throw error;
  } finally {
    // Returning the iterator would wait for the change that is being waited for.
    stop.abort();
  }
}
