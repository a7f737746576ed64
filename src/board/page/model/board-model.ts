import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { BatchDocument, ChangeEvent, DamagedRowDocument, RunRowDocument } from "../../api/index.ts";
import type { PageClock } from "../browser/index.ts";
import { type BoardData, type Connection, type Failure, failureOf, isSignedOut } from "../data/index.ts";
import { changedSince } from "./changed-since.ts";
import { Announcer, newsOf } from "./news.ts";
import { noFilters, type RunFilters } from "../selection/index.ts";
import { Notifier } from "./notifier.ts";
import { RunList } from "./run-list.ts";
import { pauseBeforeReadingAgain } from "./reading-again.ts";

export type Reading = { type: "reading" } | { type: "read" } | { type: "failed"; failure: Failure };

const TICK_MS = 1_000;
/** The maximum number of runs in progress that are read again, which is the server's maximum. */
const MAX_RUNS = 1_000;
/** Changes within this time, in milliseconds, are rendered together. */
const GATHER_MS = 80;

/** The page's model of the board: read once, then updated by the changes. */
export class BoardModel {
  readonly runs: RunList;
  readonly batches = signal<ReadonlyMap<string, BatchDocument>>(new Map());
  readonly reading = signal<Reading>({ type: "reading" });
  readonly connection = signal<Connection>({ type: "connecting" });
  readonly allowsControl = signal(false);
  /** Counts how often everything was read again because the changes had a gap. */
  readonly gaps = signal(0);
  /** The refusal that a sign-in ends; null while the reader is signed in. */
  readonly signedOut: ReadonlySignal<Failure | null>;
  readonly nowMs: ReadonlySignal<number>;
  /** Newest first. */
  readonly batchList: ReadonlySignal<readonly BatchDocument[]>;
  readonly announcer: Announcer;
  readonly notifier = new Notifier();
  /** The cursor of the batches that are not loaded yet; null: all are loaded. */
  readonly olderBatches = signal<string | null>(null);
  readonly damagedBatches = signal<readonly DamagedRowDocument[]>([]);
  readonly #now;
  readonly #gathered: ChangeEvent[] = [];
  #stop = new AbortController();
  #unfollow: () => void = () => undefined;
  #failures = 0;
  /** Whether views may show data that was read before. */
  #isShown = false;

  constructor(
    readonly data: BoardData,
    readonly clock: PageClock,
    filters: RunFilters = noFilters,
  ) {
    this.#now = signal(clock.nowMs());
    this.nowMs = this.#now;
    this.announcer = new Announcer(clock);
    this.runs = new RunList(data, clock, filters);
    this.signedOut = computed(() => {
      const [reading, connection] = [this.reading.value, this.connection.value];
      const told = reading.type === "failed" ? reading : connection.type === "refused" ? connection : null;
      return told !== null && isSignedOut(told.failure) ? told.failure : null;
    });
    this.batchList = computed(() =>
      [...this.batches.value.values()].sort((a, b) => b.startedAtMs - a.startedAtMs),
    );
  }

  /** Reads everything, then follows the changes. Called again whenever the changes have a gap. */
  async start(): Promise<void> {
    this.#stop.abort();
    this.#unfollow();
    // The data that is read now is newer than a change that waits to be applied.
    this.#gathered.length = 0;
    this.#stop = new AbortController();
    const { signal: stop } = this.#stop;
    try {
      const [batches, runsSeq, allowsControl] = await Promise.all([
        this.data.batches(null, stop),
        this.runs.read(),
        this.data.allowsControl(stop),
      ]);
      stop.throwIfAborted();
      this.#failures = 0;
      this.runs.forgetChanges();
      if (this.#isShown) this.gaps.value += 1;
      this.#isShown = true;
      this.allowsControl.value = allowsControl;
      this.batches.value = new Map(batches.batches.map((batch) => [batch.runId, batch]));
      this.olderBatches.value = batches.next;
      this.damagedBatches.value = batches.damaged;
      this.reading.value = { type: "read" };
      this.#unfollow = this.data.follow(Math.min(batches.seq, runsSeq), {
        item: (change) => this.#gather(change),
        connection: (connection) => this.#heard(connection),
      });
    } catch (error) {
      if (stop.aborted) return;
      this.#failures += 1;
      this.reading.value = { type: "failed", failure: failureOf(error) };
      const again = (): void => (stop.aborted ? undefined : void this.start());
      pauseBeforeReadingAgain(this.clock, this.#failures, error, again);
    }
  }

  /**
   * Starts when the first view is drawn (B5). The documents of that view may have changed before the changes are followed, so
   * views read them again.
   */
  async startAfter(firstView: Promise<void>): Promise<void> {
    await firstView;
    this.#isShown = true;
    await this.start();
  }

  /** Loads the next older batches. */
  async moreBatches(): Promise<void> {
    const { signal: stop } = this.#stop;
    const after = this.olderBatches.value;
    if (after === null) return;
    const page = await this.data.batches(after, stop);
    this.batches.value = new Map([
      ...page.batches.map((batch) => [batch.runId, batch] as const),
      ...this.batches.value,
    ]);
    this.damagedBatches.value = [...this.damagedBatches.value, ...page.damaged];
    this.olderBatches.value = page.next;
  }

  /** Loads the batch that a filter names, unless it is already loaded. */
  async needBatch(runId: string): Promise<void> {
    if (this.batches.value.has(runId)) return;
    const batch = await this.data.batch(runId, this.#stop.signal);
    this.batches.value = new Map([...this.batches.value, [runId, batch]]);
  }

  /** Advances the displayed time, once a second; a report has a fixed time. */
  tick(): void {
    this.#now.value = this.clock.nowMs();
    if (this.data.source === "live") this.clock.schedule(TICK_MS, () => this.tick());
  }

  async #readBatchesAgain(): Promise<void> {
    const before = this.batches.value;
    const { batches } = await this.data.batches(null, this.#stop.signal);
    const newest = [...batches, ...changedSince(before, this.batches.value)];
    this.batches.value = new Map([
      ...this.batches.value,
      ...newest.map((batch) => [batch.runId, batch] as const),
    ]);
  }

  async #readRunsInProgressAgain(): Promise<void> {
    const before = this.runs.changed.value;
    const inProgress = { ...noFilters, onlyLive: true };
    const page = { after: null, limit: MAX_RUNS };
    const { runs } = await this.data.runs(inProgress, page, this.#stop.signal);
    const told = new Set(changedSince(before, this.runs.changed.value).map(({ id }) => id));
    for (const change of this.#gathered) if (change.type === "run") told.add(change.run.id);
    for (const run of runs) {
      const known = this.runs.get(run.id);
      const isOther = known !== undefined && JSON.stringify(known) !== JSON.stringify(run);
      if (isOther && !told.has(run.id)) this.#gather({ type: "run", run });
    }
  }

  #gather(change: ChangeEvent): void {
    if (this.#gathered.push(change) === 1) this.clock.schedule(GATHER_MS, () => this.#apply());
  }

  #apply(): void {
    const changes = this.#gathered.splice(0);
    if (changes.some(({ type }) => type === "truncated")) return void this.start();
    const batches = new Map(this.batches.value);
    const nowMs = this.clock.nowMs();
    const runs = new Map<string, RunRowDocument>();
    for (const change of changes) {
      if (change.type === "run") {
        const before = runs.get(change.run.id) ?? this.runs.get(change.run.id);
        this.announcer.tell(newsOf(before, change.run, nowMs));
        this.notifier.tell(before, change.run);
        runs.set(change.run.id, change.run);
      }
      if (change.type === "batch") batches.set(change.batch.runId, change.batch);
    }
    this.#now.value = nowMs;
    this.runs.apply([...runs.values()]);
    this.batches.value = batches;
  }

  #heard(connection: Connection): void {
    const before = this.connection.value.type;
    this.connection.value = connection;
    // Derived facts are not in the change log, so they are read again: they may have changed while there was no connection.
    if (connection.type === "open")
      for (const read of [this.#readBatchesAgain(), this.#readRunsInProgressAgain()])
        void read.catch(() => undefined);
    if (connection.type === "lost" && before === "open") this.announcer.tell("connection to the board lost");
    if (connection.type === "open" && before === "lost") this.announcer.tell("connected to the board again");
  }
}
