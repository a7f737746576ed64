import { watch } from "node:fs/promises";
import { join } from "node:path";
import { type LoggedEvent, readEvents } from "./event-log-reader.ts";

/** The Event Log as it grows, from `fromSeq` until the child's exit or the signal. Woken by the file, not by a timer. */
export async function* followEvents(
  directory: string,
  options: { fromSeq: number; signal: AbortSignal },
): AsyncGenerator<LoggedEvent, void, undefined> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const changes = watch(join(directory, "events.jsonl"), { signal })[Symbol.asyncIterator]();
  let [startOffset, fromSeq] = [0, options.fromSeq];
  try {
    for (;;) {
      // Asked for before reading, so that a change during the reading is not missed.
      const change = changes.next();
      change.catch(() => undefined);
      for await (const event of readEvents(directory, { startOffset, fromSeq })) {
        startOffset = event.endOffset;
        fromSeq = event.record.seq + 1;
        yield event;
        if (event.record.type === "exit") return;
      }
      await change;
    }
  } catch (error) {
    if (!options.signal.aborted) throw error;
  } finally {
    // Returning the iterator would wait for the change that is being waited for.
    stop.abort();
  }
}
