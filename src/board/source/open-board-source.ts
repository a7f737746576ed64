import { type Clock, type Ids } from "agent-tty/kit";
import type { BatchDocument, BoardRunKey, RunRowDocument } from "../api/index.ts";
import type { BoardSource, RunSelection, TerminalName } from "../server/index.ts";
import type { RepositoryName } from "../../github/index.ts";
import { readRuns, type RunRow, type Store } from "../../store/index.ts";
import { findEvidence, type RunEvidence } from "../../home/index.ts";
import { openArtifact } from "./artifacts.ts";
import { batchDocument } from "./batch-document.ts";
import { BatchSummaries } from "./batch-summaries.ts";
import { BoardHome } from "./board-home.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { duplicatesDocument } from "./duplicates-document.ts";
import { endRun, sendToRun } from "./control-run.ts";
import { followTerminal } from "./follow-terminal.ts";
import { recordingDocument } from "./recording-document.ts";
import { runDocument } from "./run-document.ts";
import { runRowDocument } from "./run-row-document.ts";
import { type SourceLimits, sourceLimits } from "./source-limits.ts";
import { statisticsOf } from "./statistics.ts";
import { storeChanges } from "./store-changes.ts";
import { terminalsOf } from "./terminals.ts";
import { TrackedStates, type TrackedSession } from "./tracked-states.ts";

/** The newest runs that statistics are made of; more would take too long at once. */
const MAX_COUNTED_RUNS = 5_000;
const STATISTICS_FRESH_MS = 10_000;

/** The board's source over one home: its store, its Sessions, what is kept of its runs, and the parents that live. */
export function openBoardSource(
  directory: string,
  ports: { clock: Clock; ids: Ids; limits?: Partial<SourceLimits> },
): BoardSource & AsyncDisposable {
  return new HomeSource(new BoardHome(directory, ports), { ...sourceLimits, ...ports.limits });
}

class HomeSource implements BoardSource, AsyncDisposable {
  readonly #home: BoardHome;
  readonly #limits: SourceLimits;
  readonly #clock: Clock;
  readonly #summaries = new BatchSummaries();
  readonly #tracked: TrackedStates;
  readonly #statistics = new BoundedCache<ReturnType<typeof statisticsOf>>(4);

  constructor(home: BoardHome, limits: SourceLimits) {
    this.#home = home;
    this.#limits = limits;
    this.#clock = home.clock;
    this.#tracked = new TrackedStates(home.clock);
  }

  async batches(limit: number): Promise<BatchDocument[]> {
    const store = await this.#home.store();
    if (store === null) return [];
    return Promise.all(store.batches(limit).map((batch) => batchDocument(batch, store, this.#summaries)));
  }

  async batch(runId: string): Promise<BatchDocument | null> {
    const store = await this.#home.store();
    return store === null ? null : this.#batchOf(store, runId);
  }

  async runs({ batch, repo, isLiveOnly, limit }: RunSelection): Promise<RunRowDocument[]> {
    const store = await this.#home.store();
    if (store === null) return [];
    const nowMs = this.#clock.nowMs();
    const read = (selection: Parameters<typeof readRuns>[2]): RunRow[] => readRuns(store, nowMs, selection);
    const rows =
      batch !== null
        ? read({ type: "batch", runId: batch })
        : isLiveOnly
          ? read({ type: "live" }).toReversed()
          : read({ type: "recent", limit, repo });
    return rows
      .filter(
        (row) => (repo === null || row.facts.repo === repo) && (!isLiveOnly || row.settledAtMs === null),
      )
      .slice(0, limit)
      .map((row) => runRowDocument(row, this.#olderIssueOf(store, row), nowMs));
  }

  async run(key: BoardRunKey): ReturnType<BoardSource["run"]> {
    const found = await this.#find(key);
    if (found === null) return null;
    const { store, row } = found;
    const [evidence, terminals] = await Promise.all([
      this.#evidence(key),
      terminalsOf(row.facts, this.#home),
    ]);
    const nowMs = this.#clock.nowMs();
    return runDocument({ row, issue: this.#summaries.issue(store, row.facts), evidence, terminals, nowMs });
  }

  async artifact(
    key: BoardRunKey,
    kind: Parameters<BoardSource["artifact"]>[1],
  ): ReturnType<BoardSource["artifact"]> {
    if ((await this.#find(key)) === null) return null;
    return openArtifact((await this.#evidence(key)).files, kind);
  }

  async state(key: BoardRunKey, signal: AbortSignal): ReturnType<BoardSource["state"]> {
    if ((await this.#find(key)) === null) return null;
    const session = await this.#session(key, "triage-agent");
    if (session === null) return { type: "none", reason: "the run has no terminal" };
    return this.#tracked.now(session, signal);
  }

  async states(key: BoardRunKey, terminal: TerminalName): ReturnType<BoardSource["states"]> {
    const session = await this.#session(key, terminal);
    return session === null ? null : this.#tracked.series(session);
  }

  async recording(
    key: BoardRunKey,
    terminal: TerminalName,
    maxCharacters?: number,
  ): ReturnType<BoardSource["recording"]> {
    const session = await this.#session(key, terminal);
    return session === null
      ? null
      : recordingDocument(session.home, session.manifest.sessionId, {
          recordingCharacters: maxCharacters ?? this.#limits.recordingCharacters,
          recordingFrames: this.#limits.recordingFrames,
        });
  }

  async terminal(
    key: BoardRunKey,
    terminal: TerminalName,
    reading: Parameters<BoardSource["terminal"]>[2],
  ): ReturnType<BoardSource["terminal"]> {
    const session = await this.#session(key, terminal);
    return session === null
      ? null
      : followTerminal(session.home, session.manifest.sessionId, reading, this.#limits);
  }

  async duplicates(): ReturnType<BoardSource["duplicates"]> {
    const store = await this.#home.store();
    const urlOf = (repo: string, number: number): string | null =>
      store?.latestRun(repo, number)?.issue?.url ?? null;
    return duplicatesDocument(store?.duplicateLinks(null) ?? [], urlOf);
  }

  statistics(days: number): ReturnType<BoardSource["statistics"]> {
    const moment = Math.floor(this.#clock.monotonicMs() / STATISTICS_FRESH_MS);
    return this.#statistics.get(`${days} ${moment}`, async () => {
      const store = await this.#home.store();
      const nowMs = this.#clock.nowMs();
      const runs = store?.recentRuns(MAX_COUNTED_RUNS, null) ?? [];
      const counted = runs.map((facts) => ({
        facts,
        usd: store === null ? null : this.#usdOf(store, facts),
      }));
      return statisticsOf(counted, days, nowMs);
    });
  }

  async lastChange(): Promise<number> {
    return (await this.#home.store())?.lastChange() ?? 0;
  }

  changes(cursor: number, signal: AbortSignal): ReturnType<BoardSource["changes"]> {
    return storeChanges(this.#home, cursor, signal, {
      run: (store, { runId, repo, number }) => {
        const nowMs = this.#clock.nowMs();
        const [row] = readRuns(store, nowMs, { type: "run", runId, repo, number });
        return row === undefined ? null : runRowDocument(row, this.#olderIssueOf(store, row), nowMs);
      },
      batch: (store, runId) => this.#batchOf(store, runId),
    });
  }

  async send(key: BoardRunKey, text: string, signal: AbortSignal): ReturnType<BoardSource["send"]> {
    const found = await this.#find(key);
    return found === null ? null : sendToRun(found, found.row, text, signal);
  }

  async stop(key: BoardRunKey, how: "stop" | "kill", signal: AbortSignal): ReturnType<BoardSource["stop"]> {
    const found = await this.#find(key);
    return found === null ? null : endRun(found, found.row, how, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tracked[Symbol.asyncDispose]();
    this.#home[Symbol.dispose]();
  }

  async #find({
    runId,
    repo,
    number,
  }: BoardRunKey): Promise<{ home: string; store: Store; row: RunRow } | null> {
    const store = await this.#home.store();
    if (store === null) return null;
    const [row] = readRuns(store, this.#clock.nowMs(), { type: "run", runId, repo, number });
    return row === undefined ? null : { home: this.#home.directory, store, row };
  }

  async #session(key: BoardRunKey, terminal: TerminalName): Promise<TrackedSession | null> {
    const found = await this.#find(key);
    if (found === null) return null;
    const { facts } = found.row;
    if (terminal === "triage-agent")
      return facts.sessionId === null ? null : this.#home.session(facts.sessionId);
    const named = (await terminalsOf(facts, this.#home)).find(({ name }) => name === terminal);
    return named === undefined ? null : this.#home.session(named.sessionId);
  }

  #evidence({ runId, repo, number }: BoardRunKey): Promise<RunEvidence> {
    return findEvidence(this.#home.directory, runId, { repo: repo as RepositoryName, number });
  }

  async #batchOf(store: Store, runId: string): Promise<BatchDocument | null> {
    const batch = store.batch(runId);
    return batch === null ? null : batchDocument(batch, store, this.#summaries);
  }

  /** For a settled run of an older program, the batch's summary says more than the run's own row. */
  #olderIssueOf(store: Store, { facts, settledAtMs }: RunRow): ReturnType<BatchSummaries["issue"]> {
    const isTold = facts.result?.policy !== undefined;
    return isTold || settledAtMs === null ? null : this.#summaries.issue(store, facts);
  }

  #usdOf(store: Store, facts: RunRow["facts"]): number | null {
    const usage = facts.result?.usage ?? this.#summaries.issue(store, facts)?.usage;
    return usage === undefined || usage.usd === 0 ? null : usage.usd;
  }
}
