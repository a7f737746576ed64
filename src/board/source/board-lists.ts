import type { Clock } from "agent-tty/kit";
import type { BatchDocument, RunRowDocument, TotalsDocument } from "../api/index.ts";
import {
  allRuns,
  type BoardSource,
  Refusal,
  type RunSelection,
  type TotalsSelection,
} from "../server/index.ts";
import type { TriageRunFacts } from "../../runs/index.ts";
import {
  type BatchOverview,
  parseRunCursor,
  type RunPageQuery,
  type RunRow,
  runRowOf,
  type RunTotals,
  type Store,
} from "../../store/index.ts";
import { batchDocument } from "./batch-document.ts";
import type { BatchSummaries } from "./batch-summaries.ts";
import type { BoardHome } from "./board-home.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { ParentStates } from "./parent-states.ts";
import { placeOfStatus, runQuery, span } from "./run-query.ts";
import { runRowDocument } from "./run-row-document.ts";

const KEPT_COUNTS = 32;
const MAX_REPOSITORIES = 1_000;
/** The maximum number of runs in a batch's time line. */
const MAX_TIMELINE_RUNS = 1_000;
/** The maximum number of runs in progress whose Display Status is derived for one filter. */
const MAX_LOOKED_AT = 1_000;

/** The lists and totals of a home, read from the store's index (B2). */
export class BoardLists {
  readonly #home: BoardHome;
  readonly #summaries: BatchSummaries;
  readonly #clock: Clock;
  readonly #counts = new BoundedCache<number>(KEPT_COUNTS);
  readonly #totals = new BoundedCache<RunTotals>(KEPT_COUNTS);
  readonly #parents: ParentStates;

  constructor(home: BoardHome, summaries: BatchSummaries) {
    this.#home = home;
    this.#summaries = summaries;
    this.#clock = home.clock;
    this.#parents = new ParentStates(home.clock, home.parentState);
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
    return store === null ? null : this.batchOf(store, runId);
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
    const query = runQuery(selection, place?.activity ?? null, nowMs);
    if (place?.isExact === false) return this.#runsByStatus(store, query, selection);
    if (selection.after !== null && parseRunCursor(selection.after, selection.sort) === null)
      throw foreignCursor();
    const { runs, damaged, next } = store.runPage(query);
    const rows = await this.rows(store, runs, nowMs);
    return { runs: rows, damaged, next, total: await this.#count(store, query.filter) };
  }

  async timeline(runId: string): ReturnType<BoardSource["timeline"]> {
    const store = await this.#home.store();
    const schema = "afk-triage/board-batch-timeline@1";
    if (store === null) return { schema, runs: [], isTruncated: false };
    const nowMs = this.#clock.nowMs();
    const selection = { ...allRuns, batch: runId, isDescending: false, limit: MAX_TIMELINE_RUNS };
    const found = store.runPage(runQuery(selection, null, nowMs));
    const rows = await this.rows(store, found.runs, nowMs);
    const runs = rows.map((run, index) => ({
      run,
      history: (found.runs[index]?.progress.history ?? []).map(({ phase, atMs }) => ({ phase, atMs })),
    }));
    return { schema, runs, isTruncated: found.next !== null };
  }

  /** Returns the number of runs, counted once per change of the store, because every page of a list contains it. */
  #count(store: Store, filter: RunPageQuery["filter"]): Promise<number> {
    const key = `${store.lastChange()} ${JSON.stringify(filter)}`;
    return this.#counts.get(key, () => Promise.resolve(store.countRuns(filter)));
  }

  async totals(selection: TotalsSelection): Promise<TotalsDocument> {
    const store = await this.#home.store();
    const within = span(selection, this.#clock.nowMs());
    const found = store === null ? undefined : await this.#totalsOf(store, within);
    const lost = store === null ? { live: 0, waiting: 0 } : await this.#lostRuns(store, selection.batch);
    return {
      schema: "afk-triage/board-totals@1",
      runs: found?.runs ?? 0,
      live: Math.max(0, (found?.statuses["live"] ?? 0) - lost.live),
      // A run whose parent is dead does not wait, because a person cannot answer it.
      waiting: Math.max(0, (found?.waiting ?? 0) - lost.waiting),
      parentLost: lost.live,
      results: found?.results ?? {},
      usd: found === undefined || found.usdRuns === 0 ? null : found.usd,
      usdRuns: found?.usdRuns ?? 0,
      batches: store?.countBatches() ?? 0,
      repos: store?.repositories(MAX_REPOSITORIES) ?? [],
    };
  }

  /** Returns the totals, counted once per change of the store. */
  #totalsOf(store: Store, within: ReturnType<typeof span>): Promise<RunTotals> {
    const key = `${store.lastChange()} ${JSON.stringify(within)}`;
    return this.#totals.get(key, () => Promise.resolve(store.runTotals(within)));
  }

  async batchOf(store: Store, runId: string): Promise<BatchDocument | null> {
    const { batches } = store.batchOverviews({ type: "one", runId });
    return (await this.#batchDocuments(batches))[0] ?? null;
  }

  #batchDocuments(batches: readonly BatchOverview[]): Promise<BatchDocument[]> {
    return Promise.all(batches.map(async (batch) => batchDocument(batch, await this.#parents.of(batch))));
  }

  rows(store: Store, runs: readonly TriageRunFacts[], nowMs: number): Promise<RunRowDocument[]> {
    const deaths = new Map<string, Promise<boolean>>();
    return Promise.all(
      runs.map(async (facts) => {
        const row = runRowOf(facts, nowMs);
        const known = deaths.get(facts.runId);
        const death = row.settledAtMs === null ? (known ?? this.isParentDead(store, row)) : false;
        if (typeof death !== "boolean") deaths.set(facts.runId, death);
        const isParentDead = await death;
        return runRowDocument(row, { issue: this.#olderIssueOf(store, row), isParentDead, nowMs });
      }),
    );
  }

  /**
   * Returns the runs with a status that is derived on read. Only runs in progress can have it, which are few, so all of them are
   * checked. The cursor is the number of matching runs on the previous pages; the first page names the damaged rows.
   */
  async #runsByStatus(
    store: Store,
    query: RunPageQuery,
    { status, after }: RunSelection,
  ): ReturnType<BoardSource["runs"]> {
    if (after !== null && !/^\d{1,4}$/.test(after)) throw foreignCursor();
    const from = Number(after ?? 0);
    const end = from + query.limit;
    const found = store.runPage({ ...query, after: null, limit: MAX_LOOKED_AT });
    const rows = await this.rows(store, found.runs, this.#clock.nowMs());
    const runs = rows.filter(({ displayStatus }) => displayStatus === status);
    return {
      runs: runs.slice(from, end),
      damaged: after === null ? found.damaged : [],
      next: end < runs.length ? String(end) : null,
      total: runs.length,
    };
  }

  async isParentDead(store: Store, { facts, settledAtMs }: RunRow): Promise<boolean> {
    if (settledAtMs !== null) return false;
    const [batch] = store.batchOverviews({ type: "one", runId: facts.runId }).batches;
    return batch !== undefined && (await this.#parents.of(batch)) === "dead";
  }

  /** Returns the number of runs in progress, and of those that wait, whose parent is dead. */
  async #lostRuns(store: Store, batch: string | null): Promise<{ live: number; waiting: number }> {
    const runIds = batch === null ? store.batchesWithLiveRuns() : [batch];
    const batches = runIds.flatMap((runId) => store.batchOverviews({ type: "one", runId }).batches);
    const totals = batches.map(async (found) =>
      (await this.#parents.of(found)) === "dead"
        ? [await this.#totalsOf(store, { batch: found.runId, endedAfterMs: null })]
        : [],
    );
    const lost = (await Promise.all(totals)).flat();
    return {
      live: lost.reduce((sum, { statuses }) => sum + (statuses["live"] ?? 0), 0),
      waiting: lost.reduce((sum, { waiting }) => sum + waiting, 0),
    };
  }

  /** Returns the issue in the batch's summary, which contains more than the run's own row if an older program settled the run. */
  #olderIssueOf(store: Store, { facts, settledAtMs }: RunRow): ReturnType<BatchSummaries["issue"]> {
    const isTold = facts.result?.policy !== undefined;
    return isTold || settledAtMs === null ? null : this.#summaries.issue(store, facts);
  }
}

function foreignCursor(): Refusal {
  return new Refusal(
    "REQUEST_INVALID",
    "after: no page of this order returned this cursor",
    "Pass the `next` of the previous page, with the same parameters.",
  );
}
