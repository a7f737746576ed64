export { type BatchLog, createBatchLog } from "./batch-log.ts";
export { logLinesOfIssue, logPath } from "./read-log.ts";
