import { join } from "node:path";
import { readManifestFile, sessionLiveness } from "../home/index.ts";
import { type Clock, resolvesWithin } from "../kit/index.ts";
import { type LoggedEvent, readEvents } from "./event-log-reader.ts";
import { fileChanges, type WatchFile } from "./file-changes.ts";

/** A killed host writes no end into the Event Log, so this is how often the host is checked while no events come. */
const HOST_ASKED_EVERY_MS = 2_000;

/**
 * Yields the events of an Event Log as it grows, from `fromSeq` until the child's exit, the end of the Session's host, its
 * removal, or the signal. Reacts to changes of the file if it can be watched.
 */
export async function* followEvents(
  directory: string,
  options: { fromSeq: number; signal: AbortSignal; clock: Clock; watch?: WatchFile },
): AsyncGenerator<LoggedEvent, void, undefined> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const { clock, watch } = options;
  const changes = fileChanges(directory, { clock, signal, watch });
  let [startOffset, fromSeq] = [0, options.fromSeq];
  // Events after an exit are yielded only if the Session was restarted.
  let held: LoggedEvent[] | null = null;
  let isLast = false;
  try {
    for (;;) {
      // Requested before reading, so that a change during the read is not missed.
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
      if (held !== null || isLast) return;
      while (!isLast && !(await resolvesWithin(change, HOST_ASKED_EVERY_MS, clock, signal)))
        isLast = !mayBeLive(directory);
    }
  } catch (error) {
    const { cause = error } = error as Error;
    const isRemoved = (cause as NodeJS.ErrnoException).code === "ENOENT";
    if (!options.signal.aborted && !isRemoved) throw error;
  } finally {
    // Returning the iterator would wait for the pending change.
    stop.abort();
  }
}

/** Returns whether the Session may be live. A manifest that is missing or cannot be read counts as live. */
function mayBeLive(directory: string): boolean {
  try {
    const manifest = readManifestFile(join(directory, "session.json"));
    return manifest === null || sessionLiveness(manifest) === "live";
  } catch {
    return true;
  }
}
