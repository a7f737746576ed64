import type { Clock } from "agent-tty/kit";
import type { SettlementEvidence } from "../run-state.ts";
import type { RunView } from "./run-view.ts";

/** An update to observers. `settled` and `ended` are final and reach every observer. */
export type RunUpdate =
  | { type: "changed"; view: RunView }
  /** The current visible text. */
  | { type: "output"; text: string; view: RunView }
  | { type: "settled"; evidence: SettlementEvidence; view: RunView }
  /** The Triage Run is over; no update follows. */
  | { type: "ended"; view: RunView };

/**
 * A `live` observer receives every update; a `poll` observer receives the latest update at intervals until it expires; a
 * `passive-final` observer receives only the final updates (C13).
 */
export type ObserverMode =
  | { type: "live" }
  | { type: "poll"; intervalMs: number; expiresMs: number | null }
  | { type: "passive-final" };

export interface Observer {
  /**
   * Delivers an update. `retry` means that the transport failed for now. A rejection is a bug of the observer, which is then
   * removed.
   */
  deliver(update: RunUpdate): Promise<"delivered" | "retry">;
}

/** The observer is removed after this many consecutive failed deliveries. */
const MAX_RETRIES = 3;
const RETRY_PAUSE_MS = 2_000;

/**
 * One observer of one run. It never blocks the run: there is one delivery at a time, and during a slow delivery only the latest
 * update and the final updates are kept.
 */
export class ObserverSlot implements Disposable {
  readonly #observer: Observer;
  readonly #clock: Clock;
  readonly #onRemoved: () => void;
  #mode: ObserverMode;
  #latest: RunUpdate | null = null;
  #finals: RunUpdate[] = [];
  #failures = 0;
  #delivery: "idle" | "under-way" | "removed" = "idle";
  readonly #timers = new Set<Disposable>();

  constructor(observer: Observer, mode: ObserverMode, ports: { clock: Clock; onRemoved: () => void }) {
    this.#observer = observer;
    this.#mode = mode;
    this.#clock = ports.clock;
    this.#onRemoved = ports.onRemoved;
    this.setMode(mode);
  }

  get mode(): ObserverMode {
    return this.#mode;
  }

  /** Changes the mode. When a `poll` observer expires, it becomes `passive-final`, so that only the final updates follow. */
  setMode(mode: ObserverMode): void {
    this.#clearTimers();
    this.#mode = mode;
    if (mode.type !== "live") this.#latest = null;
    if (mode.type !== "poll") return;
    this.#pollEvery(mode.intervalMs);
    if (mode.expiresMs !== null) this.#later(mode.expiresMs, () => this.setMode({ type: "passive-final" }));
  }

  offer(update: RunUpdate): void {
    if (update.type === "settled" || update.type === "ended") this.#finals.push(update);
    else if (this.#mode.type === "passive-final") return;
    else this.#latest = update;
    if (this.#mode.type !== "poll" || this.#finals.length > 0) void this.#deliver();
  }

  [Symbol.dispose](): void {
    if (this.#delivery === "removed") return;
    this.#delivery = "removed";
    this.#clearTimers();
    this.#onRemoved();
  }

  #pollEvery(intervalMs: number): void {
    this.#later(intervalMs, () => {
      void this.#deliver();
      this.#pollEvery(intervalMs);
    });
  }

  async #deliver(): Promise<void> {
    if (this.#delivery !== "idle") return;
    const update = this.#latest ?? this.#finals[0];
    if (update === undefined) return;
    this.#delivery = "under-way";
    const result = await this.#observer.deliver(update).catch(() => "broken" as const);
    if (this.#delivery === "under-way") this.#after(update, result);
  }

  #after(update: RunUpdate, result: "delivered" | "retry" | "broken"): void {
    this.#delivery = "idle";
    if (result === "delivered") {
      this.#failures = 0;
      if (this.#latest === update) this.#latest = null;
      else this.#finals = this.#finals.filter((final) => final !== update);
      if (update.type === "ended") this[Symbol.dispose]();
      else if (this.#mode.type !== "poll" || this.#finals.length > 0) void this.#deliver();
      return;
    }
    this.#failures += 1;
    if (result === "broken" || this.#failures >= MAX_RETRIES) this[Symbol.dispose]();
    else this.#later(RETRY_PAUSE_MS, () => void this.#deliver());
  }

  #later(durationMs: number, action: () => void): void {
    const timer = this.#clock.schedule(durationMs, () => {
      this.#timers.delete(timer);
      action();
    });
    this.#timers.add(timer);
  }

  #clearTimers(): void {
    for (const timer of this.#timers) timer[Symbol.dispose]();
    this.#timers.clear();
  }
}
