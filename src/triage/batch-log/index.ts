export { createScopedLog, type ScopedLog } from "./scoped-log.ts";
export { type BatchLog, type BatchLogOptions, createBatchLog } from "./batch-log.ts";
export { describeLogLine, logLinesOfIssue, logPath } from "./read-log.ts";
