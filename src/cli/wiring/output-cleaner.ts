import { availableParallelism } from "node:os";
import {
  type CanaryDetector,
  createSessionCleaner,
  createThreadedCleaner,
  type SessionCleaner,
} from "../../triage/index.ts";

/** The maximum number of threads. More threads would only compete with the batch for memory. */
const MAX_THREADS = 4;

/**
 * Returns a cleaner of Sessions' output, which works in threads whose program is next to the bundle. When afk-triage runs from
 * source, that program does not exist, and the cleaner works in this thread.
 */
export function outputCleaner(canaries: CanaryDetector): SessionCleaner {
  if (import.meta.url.endsWith(".ts")) return createSessionCleaner(canaries);
  return createThreadedCleaner(canaries, {
    program: new URL("cleaning-program.js", import.meta.url),
    threads: Math.min(MAX_THREADS, availableParallelism()),
  });
}
