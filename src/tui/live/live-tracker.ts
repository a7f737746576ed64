import { type Clock, messageOf } from "agent-tty/kit";
import type { RuntimeFacts, TrackedState, Tracker, TrackerEvent } from "../tracked-state.ts";
import { activityOf } from "../tracker/activity.ts";
import type { TuiSource } from "./tui-source.ts";
import { untilState } from "./until-state.ts";

export interface LiveTrackerOptions {
  source: TuiSource;
  tracker: Tracker;
  clock: Clock;
  /** A screen that does not change is looked at this often all the same; default 500. */
  pollMs?: number;
  /** Under a flood of output a screen is looked at no more often than this; default 50. */
  restMs?: number;
}

/** H3: everything that is known of the terminal, in one. Times are the clock's wall time. */
export interface LiveObservation {
  tracked: TrackedState;
  /** The Event Log sequence of the screen that was looked at last. */
  seq: number;
  lifecycle: { startedAtMs: number; phaseSinceMs: number };
  /** How long nothing that is told has changed (H34). */
  stableForMs: number;
  /** Whether the tracker's evidence decides; otherwise only the terminal's silence and its end are known. */
  authority: "tracker" | "silence";
}

/** H3: follows a terminal with a tracker until it is disposed. One owner of time, probes, screens and submits. */
export interface LiveTracker extends AsyncDisposable {
  readonly state: TrackedState;
  observe(): LiveObservation;
  /** Calls back with every state that differs from the one before; the listener must not throw. */
  subscribe(listener: (state: TrackedState) => void): Disposable;
  /** Looks now, without waiting for the next change. */
  refresh(): Promise<TrackedState>;
  /** H1: input is about to be submitted through us. */
  noteSubmit(): TrackedState;
  /** Resolves with the first state, the present one or a later, that holds; null when time has run out. */
  until(
    holds: (state: TrackedState) => boolean,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<TrackedState | null>;
}

const POLL_MS = 500;
const REST_MS = 50;

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

  until(
    holds: (state: TrackedState) => boolean,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<TrackedState | null> {
    const end = this.#stop.signal;
    return untilState(this, holds, { clock: this.#clock, timeoutMs, signal: signal ?? null, end });
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
        // Aborted, or a source that cannot wait: the next look tells which.
      }
    }
  }

  /** Not beyond the tracker's next timer: what it then decides is told at its time. */
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
    // A slower look at an older screen says nothing any more.
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

  /** Wall time that never goes back, as the tracker needs it. */
  #nowMs(): number {
    this.#atMs = Math.max(this.#atMs, this.#clock.nowMs());
    return this.#atMs;
  }
}
