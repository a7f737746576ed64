import { type DetailedSnapshot, type Home, type ReplayedEvent, replayEvents } from "agent-tty";
import { screenOfSnapshot } from "../screen-of-snapshot.ts";
import type { ResolvedProfile } from "../registry.ts";
import type { RuntimeFacts, Tracker, TrackerEvent } from "../tracked-state.ts";
import { createTracker } from "../tracker/index.ts";
import type { TuiScreen } from "../tui-screen.ts";
import type { SessionState } from "./session-state.ts";
import { SubmitWatch } from "./submit-watch.ts";

export interface ReplayStatesOptions {
  detection: ResolvedProfile;
  /** The current wall time: a Session without an end counts as unchanged until then. */
  nowMs: number;
}

/** The intervals of the live tracker during heavy output and for an unchanged screen. */
const REST_MS = 50;
const POLL_MS = 500;
/**
 * Neither a detector nor the tracker remembers anything longer, so a screen that is unchanged for this long is not read again.
 */
const STILL_MS = 60_000;

/** Whether the TUI still runs is known only from its screen. */
const UP: RuntimeFacts = { terminal: "up", process: "unknown", probeError: null };
const GONE: RuntimeFacts = { terminal: "gone", process: "gone", probeError: null };

/**
 * Yields the states that a tracker published, or would have published, for a Session. The same tracker runs on the time line of
 * the Event Log (H4), as fast as the log is read.
 */
export async function* replayedStates(
  home: Home,
  sessionId: string,
  options: ReplayStatesOptions,
): AsyncGenerator<SessionState, void, undefined> {
  const replay = new TrackedReplay(options);
  for await (const event of replayEvents(home, sessionId)) yield* replay.take(event);
}

class TrackedReplay {
  readonly #tracker: Tracker;
  readonly #submits: SubmitWatch;
  readonly #nowMs: number;
  #startedAtMs = 0;
  #seq = 0;
  #changedAtMs: number | null = null;
  #lookedAtMs = 0;
  #movedAtMs = 0;
  #hasEnded = false;

  constructor({ detection, nowMs }: ReplayStatesOptions) {
    this.#tracker = createTracker(detection);
    this.#submits = new SubmitWatch(detection.profile);
    this.#nowMs = nowMs;
  }

  *take({ record, nextMs, detailedSnapshot }: ReplayedEvent): Generator<SessionState> {
    if (record.type === "started") this.#startedAtMs = record.wallMs - record.t;
    const atMs = this.#startedAtMs + record.t;
    this.#seq = record.seq;
    yield* this.#happen(record, atMs, detailedSnapshot);
    const untilMs = nextMs === null ? this.#endMs(atMs) : this.#startedAtMs + nextMs;
    yield* this.#pass(untilMs, detailedSnapshot);
  }

  *#happen(
    record: ReplayedEvent["record"],
    atMs: number,
    detailedSnapshot: () => DetailedSnapshot,
  ): Generator<SessionState> {
    const look = (): TuiScreen => screenOfSnapshot(detailedSnapshot());
    switch (record.type) {
      case "started":
      case "restarted":
        this.#hasEnded = false;
        yield this.#apply({ type: "probed", runtime: UP, atMs });
        return;
      case "exit":
        this.#hasEnded = true;
        yield this.#apply({ type: "probed", runtime: GONE, atMs });
        return;
      case "output":
      case "resize":
        this.#changedAtMs ??= atMs;
        this.#movedAtMs = atMs;
        return;
      case "input":
        if (record.source === "user" && this.#submits.isSubmit(record.data, look))
          yield this.#apply({ type: "submitted", atMs });
        return;
      case "gap":
      case "signal":
      case "mark":
      case "run-started":
      case "run-completed":
      case "status":
        return;
      default:
        record satisfies never;
    }
  }

  /** Runs the reads and timers that are due before the next event, in order of time. */
  *#pass(untilMs: number, detailedSnapshot: () => DetailedSnapshot): Generator<SessionState> {
    let screen: TuiScreen | null = null;
    while (!this.#hasEnded) {
      const lookMs = this.#nextLookMs();
      const timerMs = this.#tracker.nextTimerMs ?? Number.POSITIVE_INFINITY;
      const dueMs = Math.min(lookMs, timerMs);
      if (dueMs >= untilMs) return;
      if (timerMs < lookMs) {
        yield this.#apply({ type: "tick", atMs: timerMs });
        continue;
      }
      this.#changedAtMs = null;
      this.#lookedAtMs = dueMs;
      screen ??= screenOfSnapshot(detailedSnapshot());
      yield this.#apply({ type: "screen", screen, atMs: dueMs });
    }
  }

  #nextLookMs(): number {
    if (this.#changedAtMs !== null) return Math.max(this.#changedAtMs, this.#lookedAtMs + REST_MS);
    const pollMs = this.#lookedAtMs + POLL_MS;
    return pollMs - this.#movedAtMs <= STILL_MS ? pollMs : Number.POSITIVE_INFINITY;
  }

  #endMs(atMs: number): number {
    return this.#hasEnded ? atMs : Math.max(this.#nowMs, atMs + REST_MS + 1);
  }

  #apply(event: TrackerEvent): SessionState {
    return { state: this.#tracker.apply(event), seq: this.#seq, atMs: event.atMs };
  }
}
