import { AsyncLocalStorage } from "node:async_hooks";
import { type BatchLog, type BatchLogOptions, createBatchLog } from "./batch-log.ts";

/** The logs of many batches of one process. What happens within no scope is echoed and written to no file. */
export interface ScopedLog extends BatchLog {
  /** Everything that `work` does goes to the log of a batch of its own. */
  scope<Result>(work: (log: BatchLog) => Promise<Result>): Promise<Result>;
}

/**
 * A log for a program with many batches at once: what happens within `scope` goes to that batch's log file, the rest
 * only to the observer.
 */
export function createScopedLog(options: BatchLogOptions): ScopedLog {
  const outside = createBatchLog({ ...options, runsDirectory: null });
  const logs = new AsyncLocalStorage<BatchLog>();
  const current = (): BatchLog => logs.getStore() ?? outside;
  return {
    observe: (event) => current().observe(event),
    exchange: (exchange) => current().exchange(exchange),
    withinIssue: (ref, work) => current().withinIssue(ref, work),
    scope: async (work) => {
      using log = createBatchLog(options);
      return await logs.run(log, () => work(log));
    },
    [Symbol.dispose]: () => outside[Symbol.dispose](),
  };
}
