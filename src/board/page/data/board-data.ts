import type {
  AnswerRequest,
  ArtifactKind,
  BatchDocument,
  BatchListDocument,
  BatchTimelineDocument,
  ChangeEvent,
  ControlResultDocument,
  DuplicatesDocument,
  FollowUpCommand,
  FollowUpListDocument,
  IssueDocument,
  RecordingDocument,
  RecordingSearchDocument,
  RunDocument,
  RunListDocument,
  StateDocument,
  StateSeriesDocument,
  StatisticsDocument,
  TerminalDocument,
  TerminalFrame,
  TotalsDocument,
  TrustDocument,
} from "../../api/index.ts";
import type { RunFilters } from "../selection/index.ts";

export type TerminalName = TerminalDocument["name"];

/** A terminal of the run `id`, and the terminal's Session as far as the page knows. */
export interface WatchedTerminal {
  id: string;
  terminal: TerminalName;
  sessionId: string;
}

export interface RunPage {
  /** The `next` of the previous page; null for the first page. */
  after: string | null;
  limit: number;
}

/** The source of the page's data: a server, or the report that the page is part of. */
export interface BoardData {
  readonly source: "live" | "report";
  allowsControl(signal: AbortSignal): Promise<boolean>;
  /** Returns a page of batches, newest first. `after` is the `next` of the previous page; null for the first page. */
  batches(after: string | null, signal: AbortSignal): Promise<BatchListDocument>;
  batch(runId: string, signal: AbortSignal): Promise<BatchDocument>;
  timeline(runId: string, signal: AbortSignal): Promise<BatchTimelineDocument>;
  runs(filters: RunFilters, page: RunPage, signal: AbortSignal): Promise<RunListDocument>;
  totals(chosen: Pick<RunFilters, "batch" | "onlyRecent">, signal: AbortSignal): Promise<TotalsDocument>;
  run(id: string, signal: AbortSignal): Promise<RunDocument>;
  issue(id: string, signal: AbortSignal): Promise<IssueDocument>;
  state(id: string, signal: AbortSignal): Promise<StateDocument>;
  states(id: string, terminal: TerminalName, signal: AbortSignal): Promise<StateSeriesDocument>;
  /**
   * Returns the recording of a terminal. `atMs`: the part from this time on; null: the whole recording, or only its last screen if
   * it is long.
   */
  recording(
    id: string,
    terminal: TerminalName,
    atMs: number | null,
    signal: AbortSignal,
  ): Promise<RecordingDocument>;
  /** Returns the hits in a bounded part of a recording's text, which begins after a sequence (B5). */
  searchRecording(
    id: string,
    terminal: TerminalName,
    query: { text: string; afterSeq: number },
    signal: AbortSignal,
  ): Promise<RecordingSearchDocument>;
  statistics(days: number, signal: AbortSignal): Promise<StatisticsDocument>;
  duplicates(signal: AbortSignal): Promise<DuplicatesDocument>;
  /** Returns the trust facts. `repo` null: all repositories. */
  trust(repo: string | null, signal: AbortSignal): Promise<TrustDocument>;
  /** Returns the URL of an artifact; null when the artifact is not part of the report. */
  artifactUrl(id: string, kind: ArtifactKind): string | null;
  /** Returns the contents of an artifact. Rejects in a report, because a page from file:// cannot read the report's files. */
  artifactText(id: string, kind: ArtifactKind, signal: AbortSignal): Promise<string>;
  /** Passes every change after the sequence to `follower`, without gaps, until the returned function is called. */
  follow(afterSeq: number, follower: Follower<ChangeEvent>): () => void;
  watchTerminal(watched: WatchedTerminal, follower: Follower<TerminalFrame>): () => void;
  answerDialog(id: string, answer: AnswerRequest): Promise<ControlResultDocument>;
  send(id: string, text: string): Promise<ControlResultDocument>;
  stop(id: string): Promise<ControlResultDocument>;
  kill(id: string): Promise<ControlResultDocument>;
  /** Starts a command for the issue of a settled run. */
  startFollowUp(id: string, command: FollowUpCommand): Promise<ControlResultDocument>;
  followUps(id: string, signal: AbortSignal): Promise<FollowUpListDocument>;
}

export interface Follower<Item> {
  item: (item: Item) => void;
  connection: (connection: Connection) => void;
}

/** `still`: the data is complete and will not change. */
export type Connection =
  | { type: "connecting" }
  | { type: "open" }
  /** `failure`: what the board answered; absent when there was no answer. */
  | { type: "lost"; retryAtMs: number; retryNow: () => void; failure?: Failure }
  | { type: "refused"; failure: Failure }
  | { type: "still" };

/** A failure that can be shown: what was attempted, what was seen, and what to do next. */
export interface Failure {
  /** The HTTP status of the board's answer; absent when there was none. */
  status?: number;
  /** The pause, in milliseconds, that the server asks for before another attempt. */
  retryAfterMs?: number;
  code: string;
  message: string;
  remedy: string;
}

/** Returns whether a sign-in ends the refusal. */
export function isSignedOut({ code }: Failure): boolean {
  return code === "TOKEN_MISSING" || code === "TOKEN_WRONG" || code === "HTTP_401";
}

/** Returns whether the same request may succeed later: the board did not answer, or failed. A refused request is refused again. */
export function isPassing({ code, status = 0 }: Failure): boolean {
  return code === "BOARD_UNREACHABLE" || status >= 500;
}

/** An error that contains a failure to show. */
export class BoardFailure extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Returns the failure to show for an error; an unexpected error gets a general failure. */
export function failureOf(error: unknown): Failure {
  if (error instanceof BoardFailure) return error.failure;
  return { code: "PAGE", message: String(error), remedy: "Reload the page." };
}
