import { type Clock, messageOf } from "agent-tty/kit";
import type { RuntimeFacts, TrackedState, Tracker, TrackerEvent } from "../tracked-state.ts";
import { activityOf } from "../tracker/index.ts";
import type { TuiSource } from "./tui-source.ts";
import { untilState } from "./until-state.ts";

export interface LiveTrackerOptions {
  source: TuiSource;
  tracker: Tracker;
  clock: Clock;
  /** The interval between reads of an unchanged screen, in milliseconds; default 500. */
  pollMs?: number;
  /** The shortest interval between reads during heavy output, in milliseconds; default 50. */
  restMs?: number;
}

/** All facts about the terminal in one observation (H3). Times are the clock's wall time. */
export interface LiveObservation {
  tracked: TrackedState;
  /** The Event Log sequence of the last screen. */
  seq: number;
  lifecycle: { startedAtMs: number; phaseSinceMs: number };
  /** The time since the last change of the published state, in milliseconds (H34). */
  stableForMs: number;
  /** Whether the tracker's evidence decides; otherwise only the terminal's silence and its end are known. */
  authority: "tracker" | "silence";
}

/**
 * Follows a terminal with a tracker until it is disposed (H3). It alone schedules reads of the screen and reports probes, screens
 * and submits.
 */
export interface LiveTracker extends AsyncDisposable {
  readonly state: TrackedState;
  observe(): LiveObservation;
  /** Calls back with every state that differs from the one before. The listener must not throw. */
  subscribe(listener: (state: TrackedState) => void): Disposable;
  /** Reads the screen now, without waiting for the next change. */
  refresh(): Promise<TrackedState>;
  /** Records that input is about to be submitted through us (H1). */
  noteSubmit(): TrackedState;
  /**
   * Resolves with the first state that matches, either the current or a later one, or with null on timeout. Before the timeout
   * counts, the screen is read once more, because a delayed process may not have read it in time.
   */
  until(
    holds: (state: TrackedState) => boolean,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<TrackedState | null>;
}

const POLL_MS = 500;
const REST_MS = 50;

/** Starts a live tracker. Dispose it (`await using`) to stop it. */
export function startLiveTracker(options: LiveTrackerOptions): LiveTracker {
  return new FollowingTracker(options);
}

class FollowingTracker implements LiveTracker {
  readonly #options: LiveTrackerOptions;
  readonly #clock: Clock;
  readonly #tracker: Tracker;
  readonly #listeners = new Set<(state: TrackedState) => void>();
  readonly #stop = new AbortController();
  readonly #following: Promise<void>;
  readonly #startedAtMs: number;
  #phaseSinceMs: number;
  #atMs: number;
  #seq = 0;
  #runtime: RuntimeFacts | null = null;
  #told = "";

  constructor(options: LiveTrackerOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#tracker = options.tracker;
    this.#startedAtMs = this.#clock.nowMs();
    this.#phaseSinceMs = this.#startedAtMs;
    this.#atMs = this.#startedAtMs;
    this.#following = this.#follow();
  }

  get state(): TrackedState {
    return this.#tracker.state;
  }

  observe(): LiveObservation {
    const tracked = this.#apply({ type: "tick", atMs: this.#nowMs() });
    return {
      tracked,
      seq: this.#seq,
      lifecycle: { startedAtMs: this.#startedAtMs, phaseSinceMs: this.#phaseSinceMs },
      stableForMs: Math.max(0, this.#nowMs() - tracked.stability.stableSinceMs),
      authority: activityOf(tracked) === null ? "silence" : "tracker",
    };
  }

  subscribe(listener: (state: TrackedState) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async refresh(): Promise<TrackedState> {
    try {
      await this.#look();
    } catch (error) {
      this.#probed({ terminal: "unknown", process: "unknown", probeError: messageOf(error) });
    }
    return this.state;
  }

  noteSubmit(): TrackedState {
    return this.#apply({ type: "submitted", atMs: this.#nowMs() });
  }

  async until(
    holds: (state: TrackedState) => boolean,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<TrackedState | null> {
    const end = this.#stop.signal;
    const found = await untilState(this, holds, {
      clock: this.#clock,
      timeoutMs,
      signal: signal ?? null,
      end,
    });
    if (found !== null || end.aborted) return found;
    const last = await this.refresh();
    return holds(last) ? last : null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the tracker is disposed"));
    await this.#following;
  }

  async #follow(): Promise<void> {
    const { source, pollMs = POLL_MS, restMs = REST_MS } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.refresh();
      if (signal.aborted) return;
      const isGone = this.#runtime?.terminal === "gone";
      const pause = isGone || this.#runtime?.probeError !== null ? pollMs : restMs;
      try {
        await this.#clock.sleep(pause, signal);
        if (!isGone) await source.changed(this.#seq, this.#patienceMs(pollMs), signal);
      } catch {
        // Either the wait was aborted or the source cannot wait; the next read shows which.
      }
    }
  }

  /**
   * Returns how long to wait, in milliseconds. The wait ends at the tracker's next timer, so that a timed decision is published
   * on time.
   */
  #patienceMs(pollMs: number): number {
    const { nextTimerMs } = this.#tracker;
    const untilTimerMs = nextTimerMs === null ? pollMs : Math.ceil(nextTimerMs - this.#nowMs());
    return Math.max(1, Math.min(pollMs, untilTimerMs));
  }

  async #look(): Promise<void> {
    const { source } = this.#options;
    const runtime = await source.probe();
    const look = await source.look();
    if (this.#stop.signal.aborted) return;
    this.#probed(runtime);
    // A read that finished late shows an older screen and is dropped.
    if (look.seq < this.#seq) return;
    this.#seq = look.seq;
    this.#apply({ type: "screen", screen: look.screen, atMs: this.#nowMs() });
  }

  #probed(runtime: RuntimeFacts): void {
    const isNews = JSON.stringify(runtime) !== JSON.stringify(this.#runtime);
    this.#runtime = runtime;
    if (isNews) this.#apply({ type: "probed", runtime, atMs: this.#nowMs() });
  }

  #apply(event: TrackerEvent): TrackedState {
    const phaseBefore = this.state.turn.phase;
    const state = this.#tracker.apply(event);
    if (state.turn.phase !== phaseBefore) this.#phaseSinceMs = event.atMs;
    const told = JSON.stringify({ ...state, atMs: 0 });
    if (told !== this.#told) {
      this.#told = told;
      for (const listener of this.#listeners) listener(state);
    }
    return state;
  }

  /** Returns wall time that never decreases, as the tracker requires. */
  #nowMs(): number {
    this.#atMs = Math.max(this.#atMs, this.#clock.nowMs());
    return this.#atMs;
  }
}
