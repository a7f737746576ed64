import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { DamagedRowDocument, RunRowDocument, TotalsDocument } from "../../api/index.ts";
import type { PageClock } from "../browser/index.ts";
import { type BoardData, type Failure, failureOf } from "../data/index.ts";
import { changedSince } from "./changed-since.ts";
import { byOrder, isChosen, isShown, noFilters, type RunFilters } from "../selection/index.ts";

/** The pause, in milliseconds, after which counts are read again when runs have changed. */
const RECOUNT_MS = 1_000;
/** The pause, in milliseconds, between counts of the last 24 hours. Runs leave this time span without a change. */
const AGE_MS = 60_000;
/** The maximum number of runs that are kept only because they have changed. */
const MAX_CHANGED = 500;

const PAGE = 100;
/** The server's maximum number of runs per page. */
const MAX_PAGE = 1_000;

interface Loaded {
  filters: RunFilters;
  rows: ReadonlyMap<string, RunRowDocument>;
  total: number;
  /** null: every page is loaded. */
  next: string | null;
  damaged: readonly DamagedRowDocument[];
}

/** The runs that match the filters, loaded page by page (B2), and the totals of the chosen batch or time. */
export class RunList {
  readonly #loaded = signal<Loaded | null>(null);
  readonly totals = signal<TotalsDocument | null>(null);
  readonly failure = signal<Failure | null>(null);
  /** The loaded runs in display order. */
  readonly rows: ReadonlySignal<readonly RunRowDocument[]>;
  /** Runs that changed since the page was opened, whether they match or not. */
  readonly changed = signal<ReadonlyMap<string, RunRowDocument>>(new Map());
  readonly #data: BoardData;
  readonly #clock: PageClock;
  #filters: RunFilters;
  #reading = new AbortController();
  #newest: Promise<number> = Promise.resolve(0);
  #isReadingMore = false;
  #isRecountDue = false;
  #stopAging: () => void = () => undefined;

  constructor(data: BoardData, clock: PageClock, filters: RunFilters = noFilters) {
    this.#data = data;
    this.#clock = clock;
    this.#filters = filters;
    this.rows = computed(() => {
      const loaded = this.#loaded.value;
      return loaded === null ? [] : [...loaded.rows.values()].sort(byOrder(loaded.filters));
    });
  }

  /** The exact number of runs that match, including those that are not loaded. */
  get total(): number {
    return this.#loaded.value?.total ?? 0;
  }

  get damaged(): readonly DamagedRowDocument[] {
    return this.#loaded.value?.damaged ?? [];
  }

  /** The number of runs that the reader can scroll through: the loaded runs, and as many more as one page can contain. */
  get reachable(): number {
    const loaded = this.rows.value.length;
    return this.#loaded.value?.next == null ? loaded : Math.min(this.total, loaded + MAX_PAGE);
  }

  get(id: string): RunRowDocument | undefined {
    return this.changed.value.get(id) ?? this.#loaded.value?.rows.get(id);
  }

  /** Switches to other filters; does nothing if they are the present filters. */
  show(filters: RunFilters): void {
    if (JSON.stringify(filters) === JSON.stringify(this.#filters)) return;
    this.#filters = filters;
    void this.read().catch(() => undefined);
  }

  /**
   * Reads the first page and the totals. Returns the change-log sequence that they include. Rejects when the data cannot be read. A
   * read that is replaced by another one has the result of that one.
   */
  read(): Promise<number> {
    this.#reading.abort();
    this.#reading = new AbortController();
    this.#newest = this.#read(this.#reading.signal);
    return this.#newest;
  }

  /** Forgets the changes before a gap, which are older than what was read after it. */
  forgetChanges(): void {
    this.changed.value = new Map();
  }

  async #read(stop: AbortSignal): Promise<number> {
    const filters = this.#filters;
    const before = this.changed.value;
    try {
      const [first, totals] = await this.#firstPage(filters, stop);
      if (stop.aborted) return await this.#newest;
      const { runs, total, next, damaged } = first;
      this.#put({ filters, rows: byId(runs), total, next, damaged }, before);
      this.#age();
      this.totals.value = totals;
      this.failure.value = null;
      return first.seq;
    } catch (error) {
      if (stop.aborted) return this.#newest;
      this.failure.value = failureOf(error);
      throw error;
    }
  }

  /** Loads the next page of at least `wanted` runs, if there is a next page and no page is being loaded. */
  async more(wanted: number): Promise<void> {
    const limit = Math.min(MAX_PAGE, Math.max(PAGE, wanted));
    const loaded = this.#loaded.value;
    if (loaded?.next == null || this.#isReadingMore) return;
    this.#isReadingMore = true;
    const { signal: stop } = this.#reading;
    const before = this.changed.value;
    try {
      const page = await this.#data.runs(loaded.filters, { after: loaded.next, limit }, stop);
      const now = this.#loaded.value;
      if (stop.aborted || now === null) return;
      const rows = new Map([...byId(page.runs), ...now.rows]);
      const damaged = [...now.damaged, ...page.damaged];
      this.#put({ ...now, rows, total: page.total, next: page.next, damaged }, before);
    } catch {
      // The failure is ignored, because the next scrolling tries again.
    } finally {
      this.#isReadingMore = false;
    }
  }

  /** Applies changes of runs; counts are read again soon after. */
  apply(changes: readonly RunRowDocument[]): void {
    if (changes.length === 0) return;
    const changed = new Map([...this.changed.value, ...byId(changes)]);
    for (const id of changed.keys()) {
      if (changed.size <= MAX_CHANGED) break;
      changed.delete(id);
    }
    this.changed.value = changed;
    const loaded = this.#loaded.value;
    if (loaded === null) return;
    this.#loaded.value = this.#withChanges(loaded, changes);
    this.#recountSoon();
  }

  /**
   * Shows what was read, with the changes made since `before`, the state at the time of the request, because the answer may be
   * older than these changes.
   */
  #put(read: Loaded, before: ReadonlyMap<string, RunRowDocument>): void {
    const changes = changedSince(before, this.changed.value);
    this.#loaded.value = this.#withChanges(read, changes);
    if (changes.length > 0) this.#recountSoon();
  }

  #withChanges(loaded: Loaded, changes: readonly RunRowDocument[]): Loaded {
    if (changes.length === 0) return loaded;
    const order = byOrder(loaded.filters);
    const last = loaded.next === null ? null : lastOf(loaded.rows.values(), order);
    const rows = new Map(loaded.rows);
    for (const run of changes) {
      const isWithin = last === null || order(run, last) <= 0;
      if (!isShown(run, loaded.filters, this.#clock.nowMs())) rows.delete(run.id);
      else if (rows.has(run.id) || isWithin) rows.set(run.id, run);
    }
    const total = Math.max(rows.size, loaded.total + rows.size - loaded.rows.size);
    return { ...loaded, rows, total };
  }

  #firstPage(
    filters: RunFilters,
    stop: AbortSignal,
  ): Promise<[Awaited<ReturnType<BoardData["runs"]>>, TotalsDocument]> {
    return Promise.all([
      this.#data.runs(filters, { after: null, limit: PAGE }, stop),
      this.#data.totals(filters, stop),
    ]);
  }

  #recountSoon(): void {
    if (this.#isRecountDue) return;
    this.#isRecountDue = true;
    this.#clock.schedule(RECOUNT_MS, () => {
      this.#isRecountDue = false;
      void this.#recount().catch(() => undefined);
    });
  }

  #age(): void {
    this.#stopAging();
    if (this.#loaded.value?.filters.onlyRecent !== true || this.#data.source === "report") return;
    this.#stopAging = this.#clock.schedule(AGE_MS, () => {
      this.#age();
      void this.#recount().catch(() => undefined);
    });
  }

  async #recount(): Promise<void> {
    const { signal: stop } = this.#reading;
    const before = this.changed.value;
    const [first, totals] = await this.#firstPage(this.#filters, stop);
    const loaded = this.#loaded.value;
    if (stop.aborted || loaded === null) return;
    const { runs, total, next, damaged } = first;
    if (next === null) this.#put({ ...loaded, rows: byId(runs), total, next, damaged }, before);
    else {
      const nowMs = this.#clock.nowMs();
      const chosen = [...loaded.rows.values()].filter((run) => isChosen(run, loaded.filters, nowMs));
      this.#put({ ...loaded, rows: byId([...chosen, ...runs]), total }, before);
    }
    this.totals.value = totals;
  }
}

function lastOf(
  runs: Iterable<RunRowDocument>,
  order: (one: RunRowDocument, other: RunRowDocument) => number,
): RunRowDocument | null {
  let last: RunRowDocument | null = null;
  for (const run of runs) if (last === null || order(run, last) > 0) last = run;
  return last;
}

function byId(runs: readonly RunRowDocument[]): Map<string, RunRowDocument> {
  return new Map(runs.map((run) => [run.id, run]));
}
