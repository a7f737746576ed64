import { AsyncLocalStorage } from "node:async_hooks";
import { type BatchLog, type BatchLogOptions, createBatchLog } from "./batch-log.ts";

/** The logs of many batches of one process. Events outside all scopes are echoed but written to no file. */
export interface ScopedLog extends BatchLog {
  /** Logs everything that `work` does to a separate batch log. */
  scope<Result>(work: (log: BatchLog) => Promise<Result>): Promise<Result>;
}

/**
 * Creates a log for a program that runs many batches at once. Events within `scope` go to that batch's log file; other events are
 * only echoed.
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
