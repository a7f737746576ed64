import { createScreen, type Screen } from "agent-tty/testing";
import {
  type TrackedState,
  type Tracker,
  type TrackerEvent,
  type TuiScreen,
} from "../../../src/tui/index.ts";
import type { Recording } from "./recording.ts";

/** How long changes are collected before the screen is read; also the shortest time between two reads. */
const GATHER_MS = 50;
/** How often the screen is read when there is no output. */
const TICK_MS = 250;

/** One input of the tracker and the state after it. */
export interface Played {
  event: TrackerEvent;
  state: TrackedState;
}

/**
 * H4: plays a recording to the tracker on a virtual clock. The tracker gets only screens and submitted input, no exit and no
 * probe. Ends with the recording.
 */
export function* playRecording(recording: Recording, tracker: Tracker): Generator<Played> {
  for (const { event } of trackerEvents(recording, () => tracker.nextTimerMs))
    yield { event, state: tracker.apply(event) };
}

/** Yields the events that a tracker would get. `nextTimerMs` adds ticks when its timers are due. */
export function* trackerEvents(
  { header, events, durationMs }: Recording,
  nextTimerMs: () => number | null = () => null,
): Generator<{ event: TrackerEvent }> {
  using screen = createScreen(header);
  const looking = new Looking(screen);
  function* until(endMs: number): Generator<{ event: TrackerEvent }> {
    for (;;) {
      const timerMs = Math.max(nextTimerMs() ?? Number.POSITIVE_INFINITY, looking.nowMs);
      if (Math.min(looking.dueMs, timerMs) > endMs) break;
      if (looking.dueMs <= timerMs) yield { event: looking.look() };
      else {
        looking.nowMs = timerMs;
        yield { event: { type: "tick", atMs: timerMs } };
        if ((nextTimerMs() ?? Number.POSITIVE_INFINITY) <= timerMs)
          throw new Error(`the tracker's timer of ${timerMs} ms is never done`);
      }
    }
    looking.nowMs = endMs;
  }
  for (const [index, event] of events.entries()) {
    yield* until(event.t_ms);
    if (event.type === "output") screen.write(event.b64, index + 1);
    if (event.type === "resize") screen.resize(event.cols, event.rows, index + 1);
    if (event.type !== "input") looking.changed();
    else if (event.sem === "submit") yield { event: { type: "submitted", atMs: event.t_ms } };
  }
  yield* until(durationMs);
}

/** Schedules the reads of the screen. */
class Looking {
  readonly #screen: Screen;
  nowMs = 0;
  #changeDueMs = Number.POSITIVE_INFINITY;
  #tickMs = 0;
  #seen: TuiScreen | null = null;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  get dueMs(): number {
    return Math.min(this.#changeDueMs, this.#tickMs);
  }

  changed(): void {
    this.#seen = null;
    this.#changeDueMs = Math.min(this.#changeDueMs, this.nowMs + GATHER_MS);
  }

  look(): TrackerEvent {
    const atMs = this.dueMs;
    this.nowMs = atMs;
    this.#changeDueMs = Number.POSITIVE_INFINITY;
    if (this.#tickMs <= atMs) this.#tickMs += TICK_MS;
    this.#seen ??= seenOn(this.#screen);
    return { type: "screen", screen: this.#seen, atMs };
  }
}

/**
 * Returns the screen's content. Its styles are valid until the next write; a detector reads a screen when it gets it, never
 * later.
 */
function seenOn(screen: Screen): TuiScreen {
  const { visibleLines: lines, ...snapshot } = screen.styledSnapshot();
  return { ...snapshot, lines };
}
