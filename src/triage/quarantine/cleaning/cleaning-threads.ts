import pLimit from "p-limit";
import type { CanaryDetector } from "../canary-detector.ts";
import { CleaningThread } from "./cleaning-thread.ts";
import { searchedOnce, type SessionCleaner } from "./session-cleaner.ts";

/**
 * A cleaner that works in threads of its own, at most `threads` of them, so that no output blocks the event loop (S11). A thread is
 * started when no other is idle and stays for the next Session; one that dies fails its Session (CLEANING_FAILED) and is replaced.
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
    ...searchedOnce(canaries, (directory, work, signal) =>
      limited(() => {
        signal?.throwIfAborted();
        return takeThread().work(directory, work, canaries.secrets, signal);
      }),
    ),
    [Symbol.dispose]: () => {
      for (const thread of threads) void thread.end();
    },
  };
}
