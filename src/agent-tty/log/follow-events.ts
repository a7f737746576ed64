import { join } from "node:path";
import { readManifestFile, sessionLiveness } from "../home/index.ts";
import { type Clock, resolvesWithin } from "../kit/index.ts";
import { type LoggedEvent, readEvents } from "./event-log-reader.ts";
import { fileChanges, type WatchFile } from "./file-changes.ts";

/** A killed host leaves no end in the Event Log: whether it lives is asked this often while nothing comes. */
const HOST_ASKED_EVERY_MS = 2_000;

/**
 * The Event Log as it grows, from `fromSeq` until the child's exit, the end of the Session's host, its removal, or the
 * signal. Woken by the file where that can be watched.
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
  // Events after an exit belong to the Session only when it was restarted.
  let held: LoggedEvent[] | null = null;
  let isLast = false;
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
      if (held !== null || isLast) return;
      while (!isLast && !(await resolvesWithin(change, HOST_ASKED_EVERY_MS, clock, signal)))
        isLast = !mayBeLive(directory);
    }
  } catch (error) {
    const isRemoved = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (!options.signal.aborted && !isRemoved) throw error;
  } finally {
    // Returning the iterator would wait for the change that is being waited for.
    stop.abort();
  }
}

/** A manifest that is not there or cannot be read ends nothing. */
function mayBeLive(directory: string): boolean {
  try {
    const manifest = readManifestFile(join(directory, "session.json"));
    return manifest === null || sessionLiveness(manifest) === "live";
  } catch {
    return true;
  }
}
