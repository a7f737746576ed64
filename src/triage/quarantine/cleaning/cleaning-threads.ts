import pLimit from "p-limit";
import type { CanaryDetector } from "../canary-detector.ts";
import { CleaningThread } from "./cleaning-thread.ts";
import { searchedOnce, type SessionCleaner } from "./session-cleaner.ts";
import { sizeOfLogs, workOnSession } from "./session-files.ts";

/** So little output is cleaned in less time than a thread takes to be told of it; a thread also takes 20 MB. */
const AT_ONCE_BYTES = 32 * 1024;

/**
 * A cleaner that works in threads of its own, at most `threads` of them, so that no output blocks the event loop (S11); a little output
 * it cleans in this thread. A thread is started when no other is idle and stays for the next Session; one that dies fails its
 * Session (CLEANING_FAILED) and is replaced.
 * `program` is the bundled `cleaning-program.ts`.
 */
export function createThreadedCleaner(
  canaries: CanaryDetector,
  { program, threads: limit }: { program: URL; threads: number },
): SessionCleaner {
  let threads: CleaningThread[] = [];
  const limited = pLimit(limit);
  const takeThread = (): CleaningThread => {
    threads = threads.filter(({ isDead }) => !isDead);
    const idle = threads.find(({ isIdle }) => isIdle);
    if (idle !== undefined) return idle;
    const started = new CleaningThread(program);
    threads.push(started);
    return started;
  };
  return {
    ...searchedOnce(canaries, async (directory, work, signal) => {
      if (sizeOfLogs(directory) <= AT_ONCE_BYTES) return workOnSession(directory, canaries, work, signal);
      return limited(() => {
        signal?.throwIfAborted();
        return takeThread().work(directory, work, canaries.secrets, signal);
      });
    }),
    [Symbol.dispose]: () => {
      for (const thread of threads) void thread.end();
    },
  };
}
