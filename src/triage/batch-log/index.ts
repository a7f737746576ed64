export { type BatchLog, createBatchLog } from "./batch-log.ts";
export { describeLogLine, logLinesOfIssue, logPath } from "./read-log.ts";
