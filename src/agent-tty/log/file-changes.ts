import { watch as watchFile } from "node:fs/promises";
import type { Clock } from "../kit/index.ts";

/** How `node:fs/promises` watches a file; a parameter so that a machine without watches can be stood in for. */
export type WatchFile = (path: string, options: { signal: AbortSignal }) => AsyncIterable<unknown>;

const LOOK_AGAIN_MS = 200;

/**
 * Yields whenever the file may have changed, until the signal aborts. Where the machine has no more watches to give
 * (inotify counts them by user: ENOSPC, EMFILE) or none at all, at every look instead, five times a second.
 */
export async function* fileChanges(
  path: string,
  { clock, signal, watch = watchFile }: { clock: Clock; signal: AbortSignal; watch?: WatchFile | undefined },
): AsyncGenerator<void, void, undefined> {
  try {
    for await (const _change of watch(path, { signal })) yield;
    return;
  } catch (error) {
    if (signal.aborted || (error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  for (;;) {
    await clock.sleep(LOOK_AGAIN_MS, signal);
    yield;
  }
}
