export {
  type CheckpointFrame,
  checkpointPath,
  encodeCheckpoint,
  findCheckpoints,
  readCheckpoint,
} from "./checkpoint-file.ts";
export { EventLogWriter, type LogErrorCode } from "./event-log-writer.ts";
export { type LogDamage, type LoggedEvent, readEvents } from "./event-log-reader.ts";
export type { EventRecord, LoggableEvent } from "./event-record.ts";
export { PlainText } from "./plain-text.ts";
export { followEvents } from "./follow-events.ts";
export { readLastSeq } from "./last-seq.ts";
export type { LogSegment } from "./log-segments.ts";
export { outputBytesAfter } from "./output-bytes.ts";
export { repairLog } from "./repair-log.ts";
export { type LogFile, type OpenLogFile, openLogFile, reopenLogFile } from "./log-file.ts";
export { TerminalSafeText } from "./terminal-safe-text.ts";
