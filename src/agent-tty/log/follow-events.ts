import { watch } from "node:fs/promises";
import { join } from "node:path";
import { type LoggedEvent, readEvents } from "./event-log-reader.ts";

/** The Event Log as it grows, from `fromSeq` until the child's exit or the signal. Woken by the file, not by a timer. */
export async function* followEvents(
  directory: string,
  options: { fromSeq: number; signal: AbortSignal },
): AsyncGenerator<LoggedEvent, void, undefined> {
  const changes = watch(join(directory, "events.jsonl"), { signal: options.signal })[Symbol.asyncIterator]();
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
    await changes.return?.();
  }
}
