import type { PageClock } from "../browser/index.ts";
import type { Connection, Failure } from "./board-data.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;

/** Returns the pause before the next attempt, in milliseconds, after this many failures. */
export function pauseMs(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1));
}

/** Reconnects after growing pauses, or at once when the browser is online again or the user asks for it. */
export class Retry {
  readonly #clock: PageClock;
  readonly #connect: () => void;
  readonly #tell: (connection: Connection) => void;
  #failures = 0;
  #cancel: (() => void) | null = null;

  constructor(clock: PageClock, connect: () => void, tell: (connection: Connection) => void) {
    this.#clock = clock;
    this.#connect = connect;
    this.#tell = tell;
    window.addEventListener("online", this.#now);
  }

  succeeded(): void {
    this.#failures = 0;
    this.#tell({ type: "open" });
  }

  /** Schedules the next attempt. The pause is at least as long as the server asked for, if it gave a reason. */
  later(failure: Failure | null = null): void {
    this.#failures += 1;
    const pause = Math.max(failure?.retryAfterMs ?? 0, pauseMs(this.#failures));
    this.#cancel = this.#clock.schedule(pause, this.#now);
    const told = failure?.status === undefined ? {} : { failure };
    this.#tell({ type: "lost", retryAtMs: this.#clock.nowMs() + pause, retryNow: this.#now, ...told });
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
    window.removeEventListener("online", this.#now);
  }

  readonly #now = (): void => {
    if (this.#cancel === null) return;
    this.#cancel();
    this.#cancel = null;
    this.#connect();
  };
}
