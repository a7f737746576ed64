import { statSync } from "node:fs";
import { join } from "node:path";
import type { CanaryDetector } from "../canary-detector.ts";
import type { CanaryHit } from "../secret-search.ts";
import { type CleaningWork, logFilesOf, workOnSession } from "./session-files.ts";

/** Searches what Sessions showed for secrets of the parent (S8), and cleans it (S18). Disposing ends what it started. */
export interface SessionCleaner extends Disposable {
  /** Whether the files of a Session that has ended hold a secret of the parent, in whatever form. Changes nothing. */
  search(directory: string, signal?: AbortSignal): Promise<CanaryHit | null>;
  /**
   * Masks token-shaped strings at the same length, so that the Event Log still replays (S18). When a secret of the parent is in
   * it, all that the Session showed is removed, and the hit says so (S8). Files that `search` has read are not searched again.
   */
  clean(directory: string, signal?: AbortSignal): Promise<CanaryHit | null>;
}

/** Does one piece of work on the files of a Session, in this thread or in another. */
export type SessionWorker = (
  directory: string,
  work: CleaningWork,
  signal: AbortSignal | undefined,
) => Promise<CanaryHit | null>;

/** A cleaner that works in this thread. */
export function createSessionCleaner(canaries: CanaryDetector): SessionCleaner {
  return {
    ...searchedOnce(canaries, (directory, work, signal) => workOnSession(directory, canaries, work, signal)),
    [Symbol.dispose]: () => undefined,
  };
}

/** Remembers of each Session whose search found nothing what was searched: as long as that is all, cleaning it only masks. */
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

/** Changes with every byte that is written to the Session's log and with every secret that becomes known. */
function searchState(directory: string, secrets: number): string {
  const states = logFilesOf(directory)
    .flat()
    .map((name) => {
      const { size, mtimeMs, ino } = statSync(join(directory, name));
      return `${name} ${ino} ${size} ${mtimeMs}`;
    });
  return [`${secrets} secrets`, ...states].join("\n");
}
