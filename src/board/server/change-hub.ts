import { type Clock, raceSignal } from "agent-tty/kit";
import type { BatchDocument, ChangeEvent, RunRowDocument } from "../api/index.ts";
import { allRuns, type BoardSource, type SequencedChange } from "./board-source.ts";
import type { BoardLimits } from "./limits.ts";
import { Shown } from "./shown.ts";

/**
 * A change to publish to readers. `seq` null: a derived value changed with time, without a change in the log (L6, O9), so no
 * reader resumes from it.
 */
export interface ToldChange {
  seq: number | null;
  event: ChangeEvent;
}

export interface HubPorts {
  source: Pick<BoardSource, "changes" | "lastChange" | "runs" | "unfinishedBatches">;
  clock: Clock;
  limits: Pick<BoardLimits, "keptChanges" | "rederiveMs" | "runsPerPage" | "batchesPerPage" | "heartbeatMs">;
  onFailure: (error: unknown) => void;
}

interface Following {
  /** Aborted when the last reader leaves, when the log cannot be read, or when the board closes. */
  signal: AbortSignal;
  stop(reason: unknown): void;
  ended: Promise<unknown>;
}

/**
 * The single follower of the change log for all readers; it runs while there are readers (O21). It keeps the newest changes; a
 * reader that is further behind reads the log itself until it has caught up. A position is all that the hub keeps for a reader.
 */
export class ChangeHub implements AsyncDisposable {
  readonly #ports: HubPorts;
  #kept: ToldChange[] = [];
  /** Positions count all changes ever published; this is the position of the first kept change. */
  #firstPlace = 0;
  /** The kept changes come after this sequence. */
  #floorSeq = 0;
  #readers = 0;
  #following: Following | null = null;
  #wake: () => void = () => undefined;
  #news: Promise<void> = this.#nextNews();

  constructor(ports: HubPorts) {
    this.#ports = ports;
  }

  /**
   * Yields every change after `afterSeq` without a gap, until the signal aborts or the hub is disposed; null is a
   * heartbeat.
   */
  async *read(afterSeq: number, signal: AbortSignal): AsyncGenerator<ToldChange | null, void, undefined> {
    this.#readers += 1;
    try {
      const following = await this.#follow();
      yield* this.#readOn(afterSeq, AbortSignal.any([signal, following.signal]));
    } finally {
      this.#readers -= 1;
      if (this.#readers === 0) this.#leave("nobody reads changes");
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const following = this.#following;
    this.#leave("the board is closing");
    await following?.ended;
  }

  async *#readOn(afterSeq: number, left: AbortSignal): AsyncGenerator<ToldChange | null, void, undefined> {
    let cursor = afterSeq;
    let place: number | null = null;
    while (!left.aborted) {
      if (place === null || place < this.#firstPlace) {
        for await (const told of this.#catchUp(cursor, left)) {
          cursor = told.seq;
          yield told;
        }
        place = this.#placeAfter(cursor);
      }
      const news = this.#news;
      const told = this.#kept[place - this.#firstPlace];
      if (told === undefined) {
        if ((await this.#untilNews(news, left)) === "silence") yield null;
        continue;
      }
      place += 1;
      const isKnown = told.seq !== null && told.seq <= cursor && told.event.type !== "truncated";
      if (isKnown) continue;
      cursor = told.seq ?? cursor;
      yield told;
    }
  }

  /** Yields the changes of the log up to the kept ones. */
  async *#catchUp(cursor: number, left: AbortSignal): AsyncGenerator<SequencedChange> {
    const { source } = this.#ports;
    const last = await source.lastChange();
    // A cursor beyond the last change is from another store.
    if (cursor > last) yield { seq: last, event: { type: "truncated" } };
    if (cursor >= this.#floorSeq) return;
    const enough = new AbortController();
    for await (const change of source.changes(cursor, AbortSignal.any([left, enough.signal]))) {
      yield change;
      if (change.seq >= this.#floorSeq) break;
    }
    enough.abort();
  }

  #placeAfter(cursor: number): number {
    const index = this.#kept.findIndex(({ seq }) => seq !== null && seq > cursor);
    return this.#firstPlace + (index === -1 ? this.#kept.length : index);
  }

  async #untilNews(news: Promise<void>, left: AbortSignal): Promise<"news" | "silence"> {
    const { clock, limits } = this.#ports;
    let onSilence = (): void => undefined;
    const silence = new Promise<"silence">((resolve) => (onSilence = () => resolve("silence")));
    using _timer = clock.schedule(limits.heartbeatMs, () => onSilence());
    const first = Promise.race([news.then(() => "news" as const), silence]);
    return await raceSignal(first, left).catch(() => "news" as const);
  }

  async #follow(): Promise<Following> {
    const seq = await this.#ports.source.lastChange();
    if (this.#following !== null) return this.#following;
    this.#forget(seq);
    const stop = new AbortController();
    const { signal } = stop;
    const shown = nothingShown();
    const ended = Promise.all([
      this.#tellChanges(seq, shown, signal),
      this.#tellDerived(shown, signal),
    ]).catch((error: unknown) => {
      if (signal.aborted) return;
      this.#ports.onFailure(error);
      // Readers reconnect, and the answer then contains the problem of the store.
      this.#leave("the change log cannot be read");
    });
    this.#following = { signal, ended, stop: (reason) => stop.abort(reason) };
    return this.#following;
  }

  #leave(reason: string): void {
    this.#following?.stop(new Error(reason));
    this.#following = null;
  }

  async #tellChanges(cursor: number, { runs, batches }: ShownRows, signal: AbortSignal): Promise<void> {
    for await (const { seq, event } of this.#ports.source.changes(cursor, signal)) {
      if (event.type === "truncated") this.#forget(seq);
      if (event.type === "run") {
        runs.wasTold(event.run.id);
        // The batch's totals follow, once per interval (B1).
        batches.touch(event.run.runId);
      }
      if (event.type === "batch") batches.wasTold(event.batch.runId);
      this.#tell({ seq, event });
    }
  }

  async #tellDerived({ runs, batches }: ShownRows, signal: AbortSignal): Promise<void> {
    const { clock, limits, source } = this.#ports;
    const selection = { ...allRuns, isLiveOnly: true, limit: limits.runsPerPage };
    while (!signal.aborted) {
      for (const run of await runs.changed(async () => (await source.runs(selection)).runs))
        this.#tell({ seq: null, event: { type: "run", run } });
      // A batch's totals change with its runs, and its parent may die; neither is in the change log (B1).
      for (const batch of await batches.changed(() => source.unfinishedBatches(limits.batchesPerPage)))
        this.#tell({ seq: null, event: { type: "batch", batch } });
      await clock.sleep(limits.rederiveMs, signal).catch(() => undefined);
    }
  }

  #tell(told: ToldChange): void {
    this.#kept.push(told);
    if (this.#kept.length > this.#ports.limits.keptChanges) {
      this.#floorSeq = this.#kept.shift()?.seq ?? this.#floorSeq;
      this.#firstPlace += 1;
    }
    this.#wake();
    this.#news = this.#nextNews();
  }

  /** Drops the kept changes, because the following changes do not continue them. */
  #forget(floorSeq: number): void {
    this.#firstPlace += this.#kept.length;
    this.#kept = [];
    this.#floorSeq = floorSeq;
  }

  #nextNews(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }
}

type ShownRows = ReturnType<typeof nothingShown>;

function nothingShown() {
  return {
    runs: new Shown<RunRowDocument>(({ id }) => id, derivedOf),
    batches: new Shown<BatchDocument>(
      ({ runId }) => runId,
      (whole) => whole,
    ),
  };
}

/** Returns the values that can change without a change in the log: with time, or when the parent dies. */
function derivedOf({ displayStatus, indicator, parentLost }: RunRowDocument): unknown {
  return { displayStatus, indicator, parentLost };
}
