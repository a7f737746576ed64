import {
  type Artifact,
  type ArtifactKind,
  type BatchDocument,
  boardRunId,
  type BoardRunKey,
  type BoardSource,
  type ChangeEvent,
  type ControlResultDocument,
  type DamagedRowDocument,
  type RunDocument,
  type RunRowDocument,
  type SequencedChange,
  type StateDocument,
  type DuplicatesDocument,
  type FollowUpDocument,
  type IssueDocument,
  type StatisticsDocument,
  type TerminalFrame,
  type TerminalName,
  type TrustDocument,
} from "../../../src/board/index.ts";
import { PlainText } from "agent-tty";
import { shownRuns, totalsOf } from "../../../src/board/page/selection/index.ts";
import { noTrust } from "./demo-trust.ts";
import type { RecordedTerminal } from "./recorded-terminal.ts";

/** The data of one run of a fake board, besides its row. */
export interface FakeRun {
  document: RunDocument;
  issue: IssueDocument["issue"];
  terminals: Partial<Record<TerminalName, RecordedTerminal>>;
  files: Partial<Record<ArtifactKind, Buffer>>;
}

type FakeAsk = "send" | "answer" | "stop" | "kill" | "verify" | "run";

/** A board source whose facts a test sets and changes; HTTP, events and sockets are those of the real server. */
export class FakeBoardSource implements BoardSource {
  readonly batchesById = new Map<string, BatchDocument>();
  readonly runsById = new Map<string, FakeRun>();
  statisticsDocument: StatisticsDocument;
  /** The result of every control request. */
  answer: ControlResultDocument = { type: "sent" };
  readonly asked: { id: string; how: FakeAsk; text: string | null }[] = [];
  /** The follow-ups of every run. */
  followUpList: FollowUpDocument[] = [];
  readonly #changes: SequencedChange[] = [];
  readonly #frames = new Map<string, TerminalFrame[]>();
  #wake: () => void = () => undefined;
  #news: Promise<void> = this.#nextNews();

  constructor(statistics: StatisticsDocument) {
    this.statisticsDocument = statistics;
  }

  put(run: FakeRun): void {
    const { id } = run.document.run;
    this.runsById.set(id, run);
    this.#tell({ type: "run", run: run.document.run });
  }

  /** Changes the row of a run, as its parent would. */
  change(id: string, part: Partial<RunRowDocument>): void {
    const run = this.#run(id);
    if (run === null) throw new Error(`no run ${id}`);
    this.put({ ...run, document: { ...run.document, run: { ...run.document.run, ...part } } });
  }

  putBatch(batch: BatchDocument): void {
    this.batchesById.set(batch.runId, batch);
    this.#tell({ type: "batch", batch });
  }

  /** Prints a frame in a live terminal. */
  print(id: string, frame: TerminalFrame): void {
    this.#frames.set(id, [...(this.#frames.get(id) ?? []), frame]);
    this.#stir();
  }

  /** Rows that the lists name as damaged. */
  damaged: DamagedRowDocument[] = [];

  batches: BoardSource["batches"] = ({ limit, after }) => {
    const all = [...this.batchesById.values()].sort((a, b) => (a.runId < b.runId ? 1 : -1));
    const rest = after === null ? all : all.filter(({ runId }) => runId < after);
    const batches = rest.slice(0, limit);
    const next = rest.length > limit ? (batches.at(-1)?.runId ?? null) : null;
    return Promise.resolve({ batches, damaged: [], next });
  };
  unfinishedBatches = (): Promise<BatchDocument[]> =>
    Promise.resolve([...this.batchesById.values()].filter(({ finishedAtMs }) => finishedAtMs === null));
  batch = (runId: string): Promise<BatchDocument | null> =>
    Promise.resolve(this.batchesById.get(runId) ?? null);
  /** Cursors are positions in the list. */
  runs: BoardSource["runs"] = (selection) => {
    const filters = { ...selection, onlyRecent: selection.isRecentOnly, onlyLive: selection.isLiveOnly };
    const found = shownRuns(this.#rows(), filters, Date.now());
    const from = Number(selection.after ?? 0);
    const to = from + selection.limit;
    return Promise.resolve({
      runs: found.slice(from, to),
      damaged: this.damaged,
      next: to < found.length ? String(to) : null,
      total: found.length,
    });
  };
  totals: BoardSource["totals"] = ({ batch, isRecentOnly }) =>
    Promise.resolve({
      ...totalsOf(this.#rows(), { batch, onlyRecent: isRecentOnly }, Date.now()),
      batches: this.batchesById.size,
    });
  run = (key: BoardRunKey): Promise<RunDocument | null> => Promise.resolve(this.#of(key)?.document ?? null);
  issue: BoardSource["issue"] = (key) => {
    const run = this.#of(key);
    return Promise.resolve(run === null ? null : { schema: "afk-triage/board-issue@1", issue: run.issue });
  };

  artifact(key: BoardRunKey, kind: ArtifactKind): Promise<Artifact | null> {
    const bytes = this.#of(key)?.files[kind];
    if (bytes === undefined) return Promise.resolve(null);
    return Promise.resolve({
      sizeBytes: bytes.length,
      mediaType: kind.endsWith("screenshot") ? "image/png" : "application/octet-stream",
      fileName: `${kind}-${key.number}${kind.endsWith("screenshot") ? ".png" : ".txt"}`,
      bytes: piecesOf(bytes),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  }

  state(key: BoardRunKey): Promise<StateDocument | null> {
    const run = this.#of(key);
    const last = run?.terminals["triage-agent"]?.states.states.at(-1);
    if (run === null) return Promise.resolve(null);
    if (last === undefined) return Promise.resolve({ type: "none", reason: "it has no TUI to track" });
    return Promise.resolve({ type: "tracked", isLive: run.document.run.end === null, state: last });
  }

  states: BoardSource["states"] = (key, terminal) =>
    Promise.resolve(this.#of(key)?.terminals[terminal]?.states ?? null);
  /** The duration of a part in milliseconds, to treat every recording as a long one; null if recordings are answered whole. */
  partMs: number | null = null;
  readonly askedMoments: number[] = [];

  recording: BoardSource["recording"] = (key, terminal, part) => {
    const whole = this.#of(key)?.terminals[terminal]?.recording ?? null;
    if (whole === null || this.partMs === null || part.type === "end") return Promise.resolve(whole);
    const startMs = part.type === "at" ? part.tMs : whole.durationMs;
    const endMs = startMs + this.partMs;
    if (part.type === "at") this.askedMoments.push(startMs);
    return Promise.resolve({
      ...whole,
      isTruncated: true,
      window: { startMs, endMs, isEnd: endMs >= whole.durationMs },
      frames: whole.frames.filter(({ t }) => t < endMs),
    });
  };

  /** The number of hits in one answer. */
  searchHits = 100;

  searchRecording: BoardSource["searchRecording"] = (key, terminal, { text, afterSeq }) => {
    const frames = this.#of(key)?.terminals[terminal]?.recording.frames;
    if (frames === undefined) return Promise.resolve(null);
    const plain = new PlainText({ cursorMoves: "line-ends" });
    const all = frames.flatMap((frame) => {
      if (frame.type !== "output") return [];
      const lines = plain.push(Buffer.from(frame.data, "base64")).toString("utf8").split("\n");
      return lines.flatMap((line) => {
        const from = line.toLowerCase().indexOf(text.toLowerCase());
        return from === -1
          ? []
          : [
              {
                seq: frame.seq,
                tMs: frame.t,
                before: line.slice(0, from),
                found: line.slice(from, from + text.length),
                after: line.slice(from + text.length),
              },
            ];
      });
    });
    const rest = all.filter(({ seq }) => seq > afterSeq);
    const last = rest[this.searchHits - 1];
    const hits = last === undefined ? rest : rest.filter(({ seq }) => seq <= last.seq);
    return Promise.resolve({
      schema: "afk-triage/board-recording-search@1",
      hits,
      searchedMs: last?.tMs ?? frames.at(-1)?.t ?? 0,
      nextSeq: last?.seq ?? null,
    });
  };

  terminal: BoardSource["terminal"] = (key, terminal, { afterSeq, signal }) => {
    const recorded = this.#of(key)?.terminals[terminal]?.recording.frames;
    if (recorded === undefined) return Promise.resolve(null);
    return Promise.resolve(this.#framesAfter(boardRunId(key), recorded, afterSeq, signal));
  };

  timeline: BoardSource["timeline"] = (runId) =>
    Promise.resolve({
      schema: "afk-triage/board-batch-timeline@1",
      runs: [...this.runsById.values()]
        .filter(({ document }) => document.run.runId === runId)
        .map(({ document: { run, history } }) => ({ run, history }))
        .sort((one, other) => one.run.startedAtMs - other.run.startedAtMs),
      isTruncated: false,
    });
  statistics = (): Promise<StatisticsDocument> => Promise.resolve(this.statisticsDocument);
  duplicatesDocument: DuplicatesDocument = { schema: "afk-triage/board-duplicates@1", clusters: [] };
  trustDocument: TrustDocument = noTrust;
  trust = (repo: string | null): Promise<TrustDocument> => Promise.resolve({ ...this.trustDocument, repo });
  duplicates = (): Promise<DuplicatesDocument> => Promise.resolve(this.duplicatesDocument);
  lastChange = (): Promise<number> => Promise.resolve(this.#changes.length);

  async *changes(cursor: number, signal: AbortSignal): AsyncGenerator<SequencedChange> {
    let next = cursor;
    while (!signal.aborted) {
      const news = this.#news;
      for (; next < this.#changes.length; next += 1) {
        const change = this.#changes[next];
        if (change !== undefined) yield change;
      }
      await eitherOf(news, signal);
    }
  }

  send: BoardSource["send"] = (key, text) => this.#ask(key, "send", text);
  answerDialog: BoardSource["answerDialog"] = (key, { dialog, choice }) =>
    this.#ask(key, "answer", dialog.choices[choice] ?? null);
  stop: BoardSource["stop"] = (key, how) => this.#ask(key, how, null);
  startFollowUp: BoardSource["startFollowUp"] = (key, command) => this.#ask(key, command, null);
  followUps: BoardSource["followUps"] = (key) =>
    Promise.resolve(this.#of(key) === null ? null : this.followUpList);

  async *#framesAfter(
    id: string,
    recorded: readonly TerminalFrame[],
    afterSeq: number | null,
    signal: AbortSignal,
  ): AsyncGenerator<TerminalFrame> {
    const isLive = this.#run(id)?.document.run.end === null;
    let told = afterSeq ?? -1;
    while (!signal.aborted) {
      const news = this.#news;
      // A live program has not exited, even if its recording contains the exit.
      const frames = [
        ...recorded.filter(({ type }) => !isLive || type !== "exit"),
        ...(this.#frames.get(id) ?? []),
      ];
      for (const frame of frames) {
        if (frame.seq <= told) continue;
        told = frame.seq;
        yield frame;
        if (frame.type === "exit") return;
      }
      await eitherOf(news, signal);
    }
  }

  #ask(key: BoardRunKey, how: FakeAsk, text: string | null): Promise<ControlResultDocument | null> {
    if (this.#of(key) === null) return Promise.resolve(null);
    this.asked.push({ id: boardRunId(key), how, text });
    return Promise.resolve(this.answer);
  }

  #rows(): RunRowDocument[] {
    return [...this.runsById.values()].map(({ document }) => document.run);
  }

  #of(key: BoardRunKey): FakeRun | null {
    return this.#run(boardRunId(key));
  }

  #run(id: string): FakeRun | null {
    return this.runsById.get(id) ?? null;
  }

  #tell(event: ChangeEvent): void {
    this.#changes.push({ seq: this.#changes.length + 1, event });
    this.#stir();
  }

  #stir(): void {
    this.#wake();
    this.#news = this.#nextNews();
  }

  #nextNews(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }
}

function eitherOf(news: Promise<void>, signal: AbortSignal): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  return Promise.race([news, gone]);
}

// oxlint-disable-next-line typescript/require-await
async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
