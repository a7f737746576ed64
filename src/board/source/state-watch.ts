import type { Home } from "agent-tty";
import { type Clock, raceSignal } from "agent-tty/kit";
import { followedStates, type ResolvedProfile, type SessionState } from "../../tui/index.ts";

/** The time without a request, in milliseconds, after which the watch ends. */
const IDLE_MS = 30_000;
/** The longest wait of the first request, in milliseconds, until it is known whether a Turn is running. */
const FIRST_STATE_MS = 1_500;

/** A live tracker of one living Session, for clients that poll its state (H1). It only reads and changes nothing (C17). */
export class StateWatch implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #last: SessionState | null = null;
  #isKnown: () => void = () => undefined;
  readonly #known = new Promise<void>((resolve) => (this.#isKnown = resolve));
  #idle: Disposable;

  constructor(
    home: Home,
    sessionId: string,
    ports: { detection: ResolvedProfile; clock: Clock; onEnd: () => void },
  ) {
    this.#clock = ports.clock;
    this.#idle = this.#endWhenIdle();
    this.#ended = this.#follow(home, sessionId, ports.detection).finally(() => {
      this.#idle[Symbol.dispose]();
      this.#isKnown();
      ports.onEnd();
    });
    // The next request starts a new watch, which reports the problem.
    this.#ended.catch(() => undefined);
  }

  /** Returns the newest state; null: no state was known in time. */
  async current(signal: AbortSignal): Promise<SessionState | null> {
    this.#idle[Symbol.dispose]();
    this.#idle = this.#endWhenIdle();
    let onTime = (): void => undefined;
    const time = new Promise<void>((resolve) => (onTime = resolve));
    using _timer = this.#clock.schedule(FIRST_STATE_MS, () => onTime());
    await raceSignal(Promise.race([this.#known, time]), signal);
    return this.#last;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("nobody asks for this state any more"));
    await this.#ended.catch(() => undefined);
  }

  async #follow(home: Home, sessionId: string, detection: ResolvedProfile): Promise<void> {
    const { signal } = this.#stop;
    for await (const state of followedStates(home, sessionId, { detection, clock: this.#clock, signal })) {
      this.#last = state;
      if (state.state.turn.phase !== "unknown") this.#isKnown();
    }
  }

  #endWhenIdle(): Disposable {
    return this.#clock.schedule(IDLE_MS, () => void this[Symbol.asyncDispose]());
  }
}
