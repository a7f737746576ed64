import { type Clock, type Ids, OperationalError } from "agent-tty/kit";
import type { BatchDocument, BoardRunKey, RunRowDocument, TotalsDocument } from "../api/index.ts";
import {
  allRuns,
  Refusal,
  type BoardSource,
  type RunSelection,
  type TerminalName,
  type TotalsSelection,
} from "../server/index.ts";
import type { TriageRunFacts } from "../../runs/index.ts";
import type { RepositoryName } from "../../github/index.ts";
import {
  type BatchOverview,
  parseRunCursor,
  readRuns,
  type RunPageQuery,
  type RunRow,
  runRowOf,
  type RunTotals,
  type Store,
} from "../../store/index.ts";
import { findEvidence, type RunEvidence } from "../../home/index.ts";
import { openArtifact } from "./artifacts.ts";
import { batchDocument } from "./batch-document.ts";
import { BatchSummaries } from "./batch-summaries.ts";
import { BoardHome } from "./board-home.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { duplicatesDocument } from "./duplicates-document.ts";
import { endRun, sendToRun } from "./control-run.ts";
import { followTerminal } from "./follow-terminal.ts";
import { ParentStates } from "./parent-states.ts";
import { recordingDocument } from "./recording-document.ts";
import { runDocument } from "./run-document.ts";
import { placeOfStatus, runQuery, span } from "./run-query.ts";
import { runRowDocument } from "./run-row-document.ts";
import { type SourceLimits, sourceLimits } from "./source-limits.ts";
import { statisticsOf } from "./statistics.ts";
import { storeChanges } from "./store-changes.ts";
import { terminalsOf } from "./terminals.ts";
import { TrackedStates, type TrackedSession } from "./tracked-states.ts";

/** The newest runs that statistics are made of; more would take too long at once. */
const MAX_COUNTED_RUNS = 5_000;
const STATISTICS_FRESH_MS = 10_000;
const KEPT_COUNTS = 32;
const MAX_REPOSITORIES = 1_000;
/** The most runs in progress whose Display Status is derived for one filter. */
const MAX_LOOKED_AT = 1_000;

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
  readonly #counts = new BoundedCache<number>(KEPT_COUNTS);
  readonly #totals = new BoundedCache<RunTotals>(KEPT_COUNTS);
  readonly #parents: ParentStates;
  readonly #tracked: TrackedStates;
  readonly #statistics = new BoundedCache<ReturnType<typeof statisticsOf>>(4);

  constructor(home: BoardHome, limits: SourceLimits) {
    this.#home = home;
    this.#limits = limits;
    this.#clock = home.clock;
    this.#parents = new ParentStates(home.clock);
    this.#tracked = new TrackedStates(home.clock);
  }

  async batches({
    limit,
    after,
  }: {
    limit: number;
    after: string | null;
  }): ReturnType<BoardSource["batches"]> {
    const store = await this.#home.store();
    if (store === null) return { batches: [], damaged: [], next: null };
    const { batches, damaged } = store.batchOverviews({ type: "page", before: after, limit });
    const last = [...batches, ...damaged].map(({ runId }) => runId).toSorted()[0] ?? null;
    const isFull = batches.length + damaged.length === limit;
    return { batches: await this.#batchDocuments(batches), damaged, next: isFull ? last : null };
  }

  async batch(runId: string): Promise<BatchDocument | null> {
    const store = await this.#home.store();
    return store === null ? null : this.#batchOf(store, runId);
  }

  async unfinishedBatches(limit: number): Promise<BatchDocument[]> {
    const store = await this.#home.store();
    return store === null
      ? []
      : this.#batchDocuments(store.batchOverviews({ type: "unfinished", limit }).batches);
  }

  async runs(selection: RunSelection): ReturnType<BoardSource["runs"]> {
    const store = await this.#home.store();
    const place = selection.status === null ? null : placeOfStatus(selection.status);
    if (store === null || (place === null && selection.status !== null))
      return { runs: [], damaged: [], next: null, total: 0 };
    const nowMs = this.#clock.nowMs();
    if (selection.after !== null && parseRunCursor(selection.after, selection.sort) === null)
      throw new Refusal(
        "REQUEST_INVALID",
        "after: no page of this order returned this cursor",
        "Pass the `next` of the page before, with the same parameters.",
      );
    const query = runQuery(selection, place?.activity ?? null, nowMs);
    if (place?.isExact === false) return this.#runsByStatus(store, query, selection);
    const { runs, damaged, next } = store.runPage(query);
    const rows = await this.#rows(store, runs, nowMs);
    return { runs: rows, damaged, next, total: await this.#count(store, query.filter) };
  }

  /** Counts once per change of the store, because every page of a list tells the number of all its runs. */
  #count(store: Store, filter: RunPageQuery["filter"]): Promise<number> {
    const key = `${store.lastChange()} ${JSON.stringify(filter)}`;
    return this.#counts.get(key, () => Promise.resolve(store.countRuns(filter)));
  }

  async totals(selection: TotalsSelection): Promise<TotalsDocument> {
    const store = await this.#home.store();
    const within = span(selection, this.#clock.nowMs());
    const key = `${store?.lastChange()} ${JSON.stringify(within)}`;
    const found =
      store === null
        ? undefined
        : await this.#totals.get(key, () => Promise.resolve(store.runTotals(within)));
    const lost = store === null ? 0 : await this.#lostRuns(store, selection.batch);
    return {
      schema: "afk-triage/board-totals@1",
      runs: found?.runs ?? 0,
      live: Math.max(0, (found?.statuses["live"] ?? 0) - lost),
      waiting: found?.waiting ?? 0,
      parentLost: lost,
      results: found?.results ?? {},
      usd: found === undefined || found.usdRuns === 0 ? null : found.usd,
      usdRuns: found?.usdRuns ?? 0,
      batches: store?.countBatches() ?? 0,
      repos: store?.repositories(MAX_REPOSITORIES) ?? [],
    };
  }

  async run(key: BoardRunKey): ReturnType<BoardSource["run"]> {
    const found = await this.#find(key);
    if (found === null) return null;
    const { store, row } = found;
    const [evidence, terminals] = await Promise.all([
      this.#evidence(key),
      terminalsOf(row.facts, this.#home),
    ]);
    const issue = this.#summaries.issue(store, row.facts);
    const isParentDead = await this.#isParentDead(store, row);
    return runDocument({ row, issue, isParentDead, evidence, terminals, nowMs: this.#clock.nowMs() });
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
      const query = runQuery({ ...allRuns, limit: MAX_COUNTED_RUNS }, null, nowMs);
      const runs = store?.runPage(query).runs ?? [];
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
      run: async (store, { runId, repo, number }) => {
        const facts = unlessDamaged(() => store.run(runId, repo, number));
        if (facts === null) return null;
        return (await this.#rows(store, [facts], this.#clock.nowMs()))[0] ?? null;
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
    const { batches } = store.batchOverviews({ type: "one", runId });
    return (await this.#batchDocuments(batches))[0] ?? null;
  }

  #batchDocuments(batches: readonly BatchOverview[]): Promise<BatchDocument[]> {
    return Promise.all(batches.map(async (batch) => batchDocument(batch, await this.#parents.of(batch))));
  }

  #rows(store: Store, runs: readonly TriageRunFacts[], nowMs: number): Promise<RunRowDocument[]> {
    const deaths = new Map<string, Promise<boolean>>();
    return Promise.all(
      runs.map(async (facts) => {
        const row = runRowOf(facts, nowMs);
        const known = deaths.get(facts.runId);
        const death = row.settledAtMs === null ? (known ?? this.#isParentDead(store, row)) : false;
        if (typeof death !== "boolean") deaths.set(facts.runId, death);
        const isParentDead = await death;
        return runRowDocument(row, { issue: this.#olderIssueOf(store, row), isParentDead, nowMs });
      }),
    );
  }

  /** Only few runs can have such a status, all of them in progress: they are all looked at. */
  async #runsByStatus(
    store: Store,
    query: RunPageQuery,
    { status }: RunSelection,
  ): ReturnType<BoardSource["runs"]> {
    const found = store.runPage({ ...query, after: null, limit: MAX_LOOKED_AT });
    const rows = await this.#rows(store, found.runs, this.#clock.nowMs());
    const runs = rows.filter(({ displayStatus }) => displayStatus === status);
    return { runs: runs.slice(0, query.limit), damaged: found.damaged, next: null, total: runs.length };
  }

  async #isParentDead(store: Store, { facts, settledAtMs }: RunRow): Promise<boolean> {
    if (settledAtMs !== null) return false;
    const [batch] = store.batchOverviews({ type: "one", runId: facts.runId }).batches;
    return batch !== undefined && (await this.#parents.of(batch)) === "dead";
  }

  async #lostRuns(store: Store, batch: string | null): Promise<number> {
    const runIds = batch === null ? store.batchesWithLiveRuns() : [batch];
    const batches = runIds.flatMap((runId) => store.batchOverviews({ type: "one", runId }).batches);
    const counts = batches.map(async (found) =>
      (await this.#parents.of(found)) === "dead" ? (found.totals?.statuses["live"] ?? 0) : 0,
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
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

/** A damaged row is not shown (B7); its list names it. */
function unlessDamaged<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof OperationalError && error.code === "STORE_CORRUPT") return null;
    throw error;
  }
}
