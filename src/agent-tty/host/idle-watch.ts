import type { Clock } from "../kit/index.ts";

/** Calls `act` once, after `idleMs` without a touch. It needs only one timer, however many touches there are. */
export class IdleWatch implements Disposable {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #act: () => void;
  #touchedMs: number;
  #timer: Disposable;

  constructor(clock: Clock, idleMs: number, act: () => void) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#act = act;
    this.#touchedMs = clock.monotonicMs();
    this.#timer = clock.schedule(idleMs, () => this.#look());
  }

  touch(): void {
    this.#touchedMs = this.#clock.monotonicMs();
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  #look(): void {
    const restMs = this.#idleMs - (this.#clock.monotonicMs() - this.#touchedMs);
    if (restMs <= 0) this.#act();
    else this.#timer = this.#clock.schedule(restMs, () => this.#look());
  }
}
