import { type Clock, raceSignal, startDeadline } from "../kit/index.ts";
import type { SessionExit } from "../home/index.ts";
import type { SemanticSnapshot } from "../screen/index.ts";
import { checkCondition } from "./condition.ts";
import { matchRenderWait, type RenderWaitMatch } from "./match.ts";
import type { RenderWaitCondition, RenderWaitResult } from "./render-wait.ts";

const MAX_TIMER_MS = 2_147_483_647;

export interface RenderWaitPorts {
  clock: Clock;
  snapshot(): SemanticSnapshot;
}

interface Waiter {
  condition: RenderWaitCondition;
  timer: Disposable | null;
  settle: (result: RenderWaitResult) => void;
  fail: (error: unknown) => void;
}

/** The Render Waits of one live Session. They are evaluated when the screen has changed, and each has one timer for stability. */
export class RenderWaits {
  readonly #ports: RenderWaitPorts;
  readonly #waiters = new Set<Waiter>();
  #exit: SessionExit | null = null;
  /** When the visible text last changed, as far as known: an unseen change is assumed to be as late as possible. */
  #changedAtMs: number;
  #seenHash: string | null = null;

  constructor(ports: RenderWaitPorts) {
    this.#ports = ports;
    this.#changedAtMs = ports.clock.monotonicMs();
  }

  async wait(
    condition: RenderWaitCondition,
    options: { callerTimeoutMs: number; signal?: AbortSignal },
  ): Promise<RenderWaitResult> {
    checkCondition(condition);
    options.signal?.throwIfAborted();
    const timeoutMs = Math.min(options.callerTimeoutMs, MAX_TIMER_MS);
    using deadline = startDeadline(this.#ports.clock, "the Render Wait", timeoutMs, options.signal);
    const waiter: Waiter = { condition, timer: null, settle: () => undefined, fail: () => undefined };
    const result = new Promise<RenderWaitResult>((settle, fail) => {
      waiter.settle = settle;
      waiter.fail = fail;
    });
    this.#waiters.add(waiter);
    try {
      this.#evaluate(this.#look(), [waiter]);
      if (this.#exit !== null) this.#interrupt(waiter, this.#exit);
      return await raceSignal(result, deadline.signal);
    } catch (error) {
      if (options.signal?.aborted === true || !deadline.signal.aborted) throw error;
      const last = this.#look();
      this.#evaluate(last, [waiter]);
      waiter.settle({ type: "timed-out", ...seen(last) });
      return await result;
    } finally {
      this.#remove(waiter);
    }
  }

  /** Call this after the screen has changed, by new output or by a new size. */
  onRendered(): void {
    if (this.#waiters.size === 0) {
      this.#changedAtMs = this.#ports.clock.monotonicMs();
      this.#seenHash = null;
      return;
    }
    this.#evaluate(this.#look(), [...this.#waiters]);
  }

  /** Call this after the last output is rendered: a condition that is not true now can never become true. */
  onExit(exit: SessionExit): void {
    this.#exit = exit;
    if (this.#waiters.size > 0) this.#evaluate(this.#look(), [...this.#waiters]);
    for (const waiter of this.#waiters) this.#interrupt(waiter, exit);
  }

  #look(): SemanticSnapshot {
    const snapshot = this.#ports.snapshot();
    if (this.#seenHash !== null && snapshot.screenHash !== this.#seenHash) {
      this.#changedAtMs = this.#ports.clock.monotonicMs();
    }
    this.#seenHash = snapshot.screenHash;
    return snapshot;
  }

  #evaluate(snapshot: SemanticSnapshot, waiters: readonly Waiter[]): void {
    const stableForMs = this.#ports.clock.monotonicMs() - this.#changedAtMs;
    for (const waiter of waiters) {
      const match = this.#match(waiter, snapshot, stableForMs);
      if (match === null) continue;
      if (match.matched) {
        this.#remove(waiter);
        waiter.settle({
          type: "matched",
          matchedText: match.matchedText,
          capturedAtSeq: snapshot.seq,
          screenHash: snapshot.screenHash,
        });
      } else {
        this.#armTimer(waiter, match.contentAndCursorMatched, stableForMs);
      }
    }
  }

  /** Returns the match, or null if the condition could not be evaluated on this screen; its caller has been notified. */
  #match(waiter: Waiter, snapshot: SemanticSnapshot, stableForMs: number): RenderWaitMatch | null {
    try {
      return matchRenderWait(waiter.condition, snapshot, stableForMs);
    } catch (error) {
      this.#remove(waiter);
      waiter.fail(error);
      return null;
    }
  }

  /**
   * Starts a timer if only stability is missing. Without output, only stability can still become true, and the time of that is
   * known.
   */
  #armTimer(waiter: Waiter, isOnlyStabilityMissing: boolean, stableForMs: number): void {
    waiter.timer?.[Symbol.dispose]();
    waiter.timer = null;
    if (!isOnlyStabilityMissing || waiter.condition.screenStableMs === undefined) return;
    // Timers may fire a fraction early.
    const remainingMs = Math.max(1, Math.ceil(waiter.condition.screenStableMs - stableForMs));
    waiter.timer = this.#ports.clock.schedule(remainingMs, () => this.#evaluate(this.#look(), [waiter]));
  }

  #interrupt(waiter: Waiter, exit: SessionExit): void {
    this.#remove(waiter);
    waiter.settle({ type: "interrupted", exit, ...seen(this.#ports.snapshot()) });
  }

  #remove(waiter: Waiter): void {
    waiter.timer?.[Symbol.dispose]();
    waiter.timer = null;
    this.#waiters.delete(waiter);
  }
}

function seen(snapshot: SemanticSnapshot): {
  capturedAtSeq: number;
  screenHash: string;
  visibleText: string;
} {
  return {
    capturedAtSeq: snapshot.seq,
    screenHash: snapshot.screenHash,
    visibleText: snapshot.visibleLines.join("\n").trimEnd(),
  };
}
