import type {
  AnswerRequest,
  ArtifactKind,
  BatchDocument,
  BatchTimelineDocument,
  BoardRunKey,
  ChangeEvent,
  ControlResultDocument,
  DamagedRowDocument,
  DuplicatesDocument,
  FollowUpCommand,
  FollowUpDocument,
  IssueDocument,
  RecordingDocument,
  RecordingSearchDocument,
  RunDocument,
  RunRowDocument,
  StateDocument,
  StateSeriesDocument,
  StatisticsDocument,
  TerminalDocument,
  TerminalFrame,
  TotalsDocument,
  TrustDocument,
} from "../api/index.ts";

/**
 * The interface from which the board reads data and through which it sends control requests. Reading changes nothing (C17).
 * Rejects with an OperationalError; null means not found.
 */
export interface BoardSource {
  /** Returns a page of batches, newest first; `after` is the `next` of the previous page. */
  batches(selection: { limit: number; after: string | null }): Promise<Page<"batches", BatchDocument>>;
  batch(runId: string): Promise<BatchDocument | null>;
  /** Returns the runs of a batch with their phases; no runs for an unknown batch. */
  timeline(runId: string): Promise<BatchTimelineDocument>;
  /** Returns the newest batches that have not finished, including those of dead parents. */
  unfinishedBatches(limit: number): Promise<BatchDocument[]>;
  runs(selection: RunSelection): Promise<Page<"runs", RunRowDocument> & { total: number }>;
  totals(selection: TotalsSelection): Promise<TotalsDocument>;
  run(key: BoardRunKey): Promise<RunDocument | null>;
  /** Returns the issue as the run stored it. */
  issue(key: BoardRunKey): Promise<IssueDocument | null>;
  artifact(key: BoardRunKey, kind: ArtifactKind): Promise<Artifact | null>;
  state(key: BoardRunKey, signal: AbortSignal): Promise<StateDocument | null>;
  states(key: BoardRunKey, terminal: TerminalName): Promise<StateSeriesDocument | null>;
  recording(key: BoardRunKey, terminal: TerminalName, part: RecordingPart): Promise<RecordingDocument | null>;
  /** Returns the hits in a bounded part of a recording's text (B5). It stops early when the signal aborts. */
  searchRecording(
    key: BoardRunKey,
    terminal: TerminalName,
    query: { text: string; afterSeq: number },
    signal: AbortSignal,
  ): Promise<RecordingSearchDocument | null>;
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
  /** Returns the trust facts. `repo` null: all repositories. */
  trust(repo: string | null): Promise<TrustDocument>;
  /** Returns the sequence of the last change. */
  lastChange(): Promise<number>;
  /**
   * Yields every change after the cursor in order, then new ones, until the signal aborts; `truncated` where changes
   * were deleted.
   */
  changes(cursor: number, signal: AbortSignal): AsyncIterable<SequencedChange>;

  send(key: BoardRunKey, text: string, signal: AbortSignal): Promise<ControlResultDocument | null>;
  answerDialog(
    key: BoardRunKey,
    answer: AnswerRequest,
    signal: AbortSignal,
  ): Promise<ControlResultDocument | null>;
  stop(key: BoardRunKey, how: "stop" | "kill", signal: AbortSignal): Promise<ControlResultDocument | null>;
  /** Starts a command for the issue of a settled run. */
  startFollowUp(key: BoardRunKey, command: FollowUpCommand): Promise<ControlResultDocument | null>;
  /** Returns the commands that were started from this run since the board began, the newest first. */
  followUps(key: BoardRunKey): Promise<FollowUpDocument[] | null>;
}

export type TerminalName = TerminalDocument["name"];
export type TerminalFrames = AsyncIterable<TerminalFrame>;

/**
 * The part of a recording to read. `whole`: all of it, or only the last screen if it is long. `at`: the part from a time on, in
 * milliseconds since the Session's start (B5). `end`: as much of the end as fits into `maxCharacters` of base64, beginning with a
 * painted screen.
 */
export type RecordingPart =
  | { type: "whole" }
  | { type: "at"; tMs: number }
  | { type: "end"; maxCharacters: number };

export interface TerminalReading {
  afterSeq: number | null;
  /** The Session that `afterSeq` belongs to; null: the present Session. */
  sessionId: string | null;
  signal: AbortSignal;
}

/** One page of a list; `damaged` names the rows that cannot be read. */
export type Page<Name extends string, Row> = Record<Name, Row[]> & {
  next: string | null;
  damaged: DamagedRowDocument[];
};

/** The sort keys of a list of runs; `started` sorts by the order in which the runs were recorded. */
export const sortKeys = ["started", "issue", "status", "result", "elapsed", "cost"] as const;

export interface RunSelection extends TotalsSelection {
  repo: string | null;
  /** Only runs with this Display Status. */
  status: string | null;
  /** Only runs with this outcome, or with this end status if they ended without an outcome. */
  result: string | null;
  isLiveOnly: boolean;
  /** Word prefixes to search for; "" disables the search. */
  text: string;
  sort: (typeof sortKeys)[number];
  isDescending: boolean;
  limit: number;
  /** The `next` of the previous page. */
  after: string | null;
}

export interface TotalsSelection {
  /** Only runs of this batch. */
  batch: string | null;
  /** Only runs in progress, and those that ended within the last 24 hours. */
  isRecentOnly: boolean;
}

/** The selection of every run, newest first. */
export const allRuns: RunSelection = {
  batch: null,
  isRecentOnly: false,
  repo: null,
  status: null,
  result: null,
  isLiveOnly: false,
  text: "",
  sort: "started",
  isDescending: true,
  limit: 100,
  after: null,
};

export interface Artifact extends AsyncDisposable {
  sizeBytes: number;
  mediaType: string;
  /** The name under which a browser saves the file. */
  fileName: string;
  bytes: AsyncIterable<Uint8Array>;
}

export interface SequencedChange {
  seq: number;
  event: ChangeEvent;
}
