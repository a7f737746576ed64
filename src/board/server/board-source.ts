import type {
  ArtifactKind,
  BatchDocument,
  BoardRunKey,
  ChangeEvent,
  ControlResultDocument,
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
 * What the board shows, and the three things it may ask for. Reading changes nothing (C17). Rejects with an
 * OperationalError; null: there is no such thing.
 */
export interface BoardSource {
  /** The newest first. */
  batches(limit: number): Promise<BatchDocument[]>;
  batch(runId: string): Promise<BatchDocument | null>;
  /** The newest batch first. */
  runs(selection: RunSelection): Promise<RunRowDocument[]>;
  run(key: BoardRunKey): Promise<RunDocument | null>;
  artifact(key: BoardRunKey, kind: ArtifactKind): Promise<Artifact | null>;
  state(key: BoardRunKey, signal: AbortSignal): Promise<StateDocument | null>;
  states(key: BoardRunKey, terminal: TerminalName): Promise<StateSeriesDocument | null>;
  /** `maxCharacters` of base64: of a longer recording the end is given, from a painted screen on. */
  recording(
    key: BoardRunKey,
    terminal: TerminalName,
    maxCharacters?: number,
  ): Promise<RecordingDocument | null>;
  /**
   * Frames after `afterSeq` (null: the reader has nothing yet), then what comes, until the terminal is gone. Read at the
   * pace of whoever asks for the next one: a reader that falls too far behind gets a `reset` in place of what it missed.
   */
  terminal(
    key: BoardRunKey,
    terminal: TerminalName,
    reading: TerminalReading,
  ): Promise<TerminalFrames | null>;
  statistics(days: number): Promise<StatisticsDocument>;
  /** The sequence of the last change. */
  lastChange(): Promise<number>;
  /** Every change after the cursor, then what comes, in order, until the signal; `truncated` where the log has a hole. */
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
  /** Of this batch only. */
  batch: string | null;
  repo: string | null;
  isLiveOnly: boolean;
  limit: number;
}

export interface Artifact extends AsyncDisposable {
  sizeBytes: number;
  mediaType: string;
  /** For the reader's disk. */
  fileName: string;
  bytes: AsyncIterable<Uint8Array>;
}

export interface SequencedChange {
  seq: number;
  event: ChangeEvent;
}
