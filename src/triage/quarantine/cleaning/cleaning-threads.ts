import pLimit from "p-limit";
import type { CanaryDetector } from "../canary-detector.ts";
import { CleaningThread } from "./cleaning-thread.ts";
import { searchedOnce, type SessionCleaner } from "./session-cleaner.ts";
import { sizeOfLogs, workOnSession } from "./session-files.ts";

/** This little output is cleaned in less time than a message to a thread takes; a thread also takes 20 MB. */
const AT_ONCE_BYTES = 32 * 1024;

/**
 * Creates a cleaner that works in at most `threads` threads of its own, so that no output blocks the event loop (S11). Small
 * output is cleaned in this thread. A thread is started when no other is idle, and is kept for the next Session. If a thread
 * dies, the cleaning of its Session fails (CLEANING_FAILED) and the thread is replaced.
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
