import type {
  ArtifactKind,
  BatchDocument,
  BoardRunKey,
  ChangeEvent,
  ControlResultDocument,
  DuplicatesDocument,
  RecordingDocument,
  RunDocument,
  RunRowDocument,
  StateDocument,
  StateSeriesDocument,
  StatisticsDocument,
  TerminalDocument,
  TerminalFrame,
} from "../api/index.ts";

/**
 * The board's data, and its three control requests. Reading changes nothing (C17). Rejects with an OperationalError;
 * null means not found.
 */
export interface BoardSource {
  /** Newest first. */
  batches(limit: number): Promise<BatchDocument[]>;
  batch(runId: string): Promise<BatchDocument | null>;
  /** Newest batch first. */
  runs(selection: RunSelection): Promise<RunRowDocument[]>;
  run(key: BoardRunKey): Promise<RunDocument | null>;
  artifact(key: BoardRunKey, kind: ArtifactKind): Promise<Artifact | null>;
  state(key: BoardRunKey, signal: AbortSignal): Promise<StateDocument | null>;
  states(key: BoardRunKey, terminal: TerminalName): Promise<StateSeriesDocument | null>;
  /** `maxCharacters` of base64: of a longer recording the end is returned, beginning with a painted screen. */
  recording(
    key: BoardRunKey,
    terminal: TerminalName,
    maxCharacters?: number,
  ): Promise<RecordingDocument | null>;
  /**
   * Yields the frames after `afterSeq` (null: from the beginning), then new ones, until the terminal ends. It reads
   * at the consumer's pace: a reader that is too far behind gets a `reset` instead of the frames it missed.
   */
  terminal(
    key: BoardRunKey,
    terminal: TerminalName,
    reading: TerminalReading,
  ): Promise<TerminalFrames | null>;
  statistics(days: number): Promise<StatisticsDocument>;
  duplicates(): Promise<DuplicatesDocument>;
  /** Returns the sequence of the last change. */
  lastChange(): Promise<number>;
  /**
   * Yields every change after the cursor in order, then new ones, until the signal aborts; `truncated` where changes
   * were deleted.
   */
  changes(cursor: number, signal: AbortSignal): AsyncIterable<SequencedChange>;

  send(key: BoardRunKey, text: string, signal: AbortSignal): Promise<ControlResultDocument | null>;
  stop(key: BoardRunKey, how: "stop" | "kill", signal: AbortSignal): Promise<ControlResultDocument | null>;
}

export type TerminalName = TerminalDocument["name"];
export type TerminalFrames = AsyncIterable<TerminalFrame>;

export interface TerminalReading {
  afterSeq: number | null;
  signal: AbortSignal;
}

export interface RunSelection {
  /** Only runs of this batch. */
  batch: string | null;
  repo: string | null;
  isLiveOnly: boolean;
  limit: number;
}

export interface Artifact extends AsyncDisposable {
  sizeBytes: number;
  mediaType: string;
  /** The name under which the reader saves it. */
  fileName: string;
  bytes: AsyncIterable<Uint8Array>;
}

export interface SequencedChange {
  seq: number;
  event: ChangeEvent;
}
