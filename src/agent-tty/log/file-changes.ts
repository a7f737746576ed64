import { watch as watchFile } from "node:fs/promises";
import type { Clock } from "../kit/index.ts";

/** How `node:fs/promises` watches a directory; a parameter, so that tests can simulate a machine without watches. */
export type WatchFile = (
  path: string,
  options: { signal: AbortSignal },
) => AsyncIterable<{ filename: string | Buffer | null }>;

const LOOK_AGAIN_MS = 200;
/** Only event files matter, because output is written before the events that refer to it. */
const EVENTS = /^events\./;

/**
 * Yields whenever the events in a Session's directory may have changed, until the signal aborts. If the machine has no free
 * watches (inotify limits them per user: ENOSPC, EMFILE) or does not support them, it yields five times a second instead.
 */
export async function* fileChanges(
  directory: string,
  { clock, signal, watch = watchFile }: { clock: Clock; signal: AbortSignal; watch?: WatchFile | undefined },
): AsyncGenerator<void, void, undefined> {
  try {
    for await (const { filename } of watch(directory, { signal }))
      if (filename === null || EVENTS.test(String(filename))) yield;
    return;
  } catch (error) {
    if (signal.aborted || (error as NodeJS.ErrnoException).code === "ENOENT") throw error;
  }
  for (;;) {
    await clock.sleep(LOOK_AGAIN_MS, signal);
    yield;
  }
}
