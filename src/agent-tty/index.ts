export {
  type Artifact,
  type CastTiming,
  detailedSnapshotResult,
  captureScreenshot,
  exportAsciicast,
  exportRecording,
  readArtifacts,
  type RecordingExport,
  type RecordingFormat,
  type RecordingLook,
  type RecordingOptions,
  recordSnapshot,
  type ScreenshotOptions,
  type ScreenshotResult,
  type SnapshotCell,
  type SnapshotCellLine,
  type SnapshotDetail,
  type SnapshotFormat,
  type SnapshotResult,
  snapshotResult,
} from "./capture/index.ts";
export {
  defaultHomeDirectory,
  type Home,
  type HomeOptions,
  isDestroyed,
  type ManifestReading,
  openHome,
  openHomeRegistry,
  type SessionExit,
  type SessionLiveness,
  removeUnfinishedFiles,
  sessionLiveness,
  type SessionManifest,
  type SessionStatus,
  STATUS_POLICY,
  type StatusPolicy,
} from "./home/index.ts";
export { serveSession, type SessionServer } from "./daemon/index.ts";
export {
  createSession,
  type EngineErrorCode,
  type RestartOptions,
  restartSession,
  type Session,
  type SessionSpec,
} from "./host/index.ts";
export {
  collectGarbage,
  type DoctorCheck,
  type DoctorPorts,
  examineInstallation,
  freeBytes,
  type GcOptions,
  type GcResult,
  type KeptReason,
  type RemovedReason,
} from "./lifecycle/index.ts";
export { awaitEnd, type ChildEnd, type PosixCalls, posixCalls } from "./processes/index.ts";
export { isExecutableFile, nodePtySpawner, type SpawnPty } from "./pty/index.ts";
export {
  type EventRecord,
  followEvents,
  readLastSeq,
  type LogDamage,
  type LoggedEvent,
  PlainText,
  outputBytesAfter,
  readEvents,
} from "./log/index.ts";
export { type Painting, paintSession } from "./painting/index.ts";
export {
  connectHost,
  connectRpcSocket,
  encodeMessage,
  FrameDecoder,
  type HostConnection,
  listenRpcSocket,
  rpcSocketPath,
} from "./protocol/index.ts";
export {
  eventsFrom,
  findMoment,
  type FollowedScreen,
  followScreen,
  matchOffline,
  replayDetailedSnapshot,
  type ReplayedEvent,
  replayEvents,
  type ReplayOptions,
  replaySession,
} from "./replay/index.ts";
export {
  type EventRange,
  type FilteredPiece,
  MarkFilter,
  shellIntegrationScript,
  type WaitedRunResult,
  type WaitOptions,
  zshIntegrationScript,
} from "./run/index.ts";
export type {
  Cell,
  CellAttribute,
  CellColor,
  CellStyle,
  CursorShape,
  DetailedSnapshot,
  SemanticSnapshot,
  TerminalModes,
  UnderlineStyle,
} from "./screen/index.ts";
export {
  checkCondition,
  matchRenderWait,
  type RenderWaitCondition,
  type RenderWaitMatch,
  type RenderWaitResult,
} from "./wait/index.ts";
