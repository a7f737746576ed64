export { type Artifact, readArtifacts } from "./artifact-index.ts";
export {
  type AsciicastExport,
  type AsciicastOptions,
  type CastTiming,
  exportAsciicast,
} from "./asciicast.ts";
export type { CaptureErrorCode } from "./capture-error.ts";
export type { SnapshotCell, SnapshotCellLine } from "./snapshot-cells.ts";
export {
  detailedSnapshotResult,
  recordSnapshot,
  type SnapshotDetail,
  type SnapshotFormat,
  type SnapshotResult,
  snapshotResult,
} from "./snapshot-capture.ts";
