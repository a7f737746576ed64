import type { Clock } from "../kit/index.ts";

/** During a flood of output the disk is written at this interval: fewer, larger writes leave more CPU time to the child. */
const BATCH_EVERY_MS = 4;
const BATCH_BYTES = 512 * 1024;

/** Decides when the next batch may be written: at once after a pause, otherwise a little after the previous one. */
export class BatchPace {
  readonly #clock: Clock;
  #lastMs = Number.NEGATIVE_INFINITY;
  #pendingBytes = 0;
  #release: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  pendingBytes(sizeBytes: number): void {
    this.#pendingBytes = sizeBytes;
    if (sizeBytes >= BATCH_BYTES) this.hurry();
  }

  /** Call this when a reader waits for the bytes. */
  hurry(): void {
    this.#lastMs = Number.NEGATIVE_INFINITY;
    this.#release?.();
  }

  async next(): Promise<void> {
    const remainingMs = this.#lastMs + BATCH_EVERY_MS - this.#clock.monotonicMs();
    if (remainingMs > 0 && this.#pendingBytes < BATCH_BYTES) await this.#released(Math.ceil(remainingMs));
    this.#lastMs = this.#clock.monotonicMs();
  }

  async #released(durationMs: number): Promise<void> {
    let timer: Disposable | null = null;
    await new Promise<void>((resolve) => {
      this.#release = resolve;
      timer = this.#clock.schedule(durationMs, resolve);
    });
    this.#release = null;
    (timer as Disposable | null)?.[Symbol.dispose]();
  }
}
