export { type Artifact, readArtifacts } from "./artifact-index.ts";
export { exportAsciicast } from "./asciicast.ts";
export type { CaptureErrorCode } from "./ffmpeg.ts";
export { ownOutput, type RecordingExport, type RecordingOptions } from "./export-file.ts";
export { exportRecording, type RecordingFormat, type RecordingLook } from "./recording.ts";
export { captureRecording } from "./recording-capture.ts";
export { captureScreenshot, type ScreenshotOptions, type ScreenshotResult } from "./screenshot-capture.ts";
export { cellAsJson, type SnapshotCell, type SnapshotCellLine, snapshotCells } from "./snapshot-cells.ts";
export {
  detailedSnapshotResult,
  recordSnapshot,
  type SnapshotDetail,
  type SnapshotFormat,
  type SnapshotResult,
  snapshotResult,
} from "./snapshot-capture.ts";
export type { CastTiming } from "./timing.ts";
