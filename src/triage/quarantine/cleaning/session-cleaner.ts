import { statSync } from "node:fs";
import { join } from "node:path";
import type { CanaryDetector } from "../canary-detector.ts";
import type { CanaryHit } from "../secret-search.ts";
import { type CleaningWork, logFilesOf, workOnSession } from "./session-files.ts";

/** Searches the output of Sessions for secrets of the parent (S8), and cleans it (S18). Disposing ends its threads. */
export interface SessionCleaner extends Disposable {
  /**
   * Returns the first secret of the parent, in any form, in the files of a Session that has ended; null: none. Changes nothing.
   */
  search(directory: string, signal?: AbortSignal): Promise<CanaryHit | null>;
  /**
   * Masks token-shaped strings at the same length, so that the Event Log still replays (S18). When it contains a secret of the
   * parent, all output of the Session is removed and the hit is returned (S8). Files that `search` has read are not searched
   * again.
   */
  clean(directory: string, signal?: AbortSignal): Promise<CanaryHit | null>;
}

/** Searches or masks the files of a Session, in this thread or in another. */
export type SessionWorker = (
  directory: string,
  work: CleaningWork,
  signal: AbortSignal | undefined,
) => Promise<CanaryHit | null>;

/** Creates a cleaner that works in this thread. */
export function createSessionCleaner(canaries: CanaryDetector): SessionCleaner {
  return {
    ...searchedOnce(canaries, (directory, work, signal) => workOnSession(directory, canaries, work, signal)),
    [Symbol.dispose]: () => undefined,
  };
}

/**
 * Returns a worker that remembers the state of a Session's files when the search found nothing in them. As long as the files and
 * the secrets are unchanged, cleaning only masks.
 */
export function searchedOnce(
  { secrets }: CanaryDetector,
  worker: SessionWorker,
): Omit<SessionCleaner, typeof Symbol.dispose> {
  const searched = new Map<string, string>();
  return {
    search: async (directory, signal) => {
      const state = searchState(directory, secrets.length);
      const hit = await worker(directory, "search", signal);
      if (hit === null) searched.set(directory, state);
      return hit;
    },
    clean: async (directory, signal) => {
      const state = searched.get(directory);
      searched.delete(directory);
      const isSearched = state !== undefined && state === searchState(directory, secrets.length);
      return worker(directory, isSearched ? "mask" : "search-and-mask", signal);
    },
  };
}

/** Returns a text that changes with every byte that is written to the Session's log and with every secret that becomes known. */
function searchState(directory: string, secrets: number): string {
  const states = logFilesOf(directory)
    .flat()
    .map((name) => {
      const { size, mtimeMs, ino } = statSync(join(directory, name));
      return `${name} ${ino} ${size} ${mtimeMs}`;
    });
  return [`${secrets} secrets`, ...states].join("\n");
}
