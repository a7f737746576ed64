import { createScreen, type Screen } from "agent-tty/testing";
import {
  type TrackedState,
  type Tracker,
  type TrackerEvent,
  type TuiScreen,
} from "../../../src/tui/index.ts";
import type { Recording } from "./recording.ts";

/** How long changes are gathered before a screen is looked at; also the shortest time between two looks. */
const GATHER_MS = 50;
/** How often a screen is looked at though nothing came. */
const TICK_MS = 250;

/** The inputs of the tracker and its states. */
export interface Played {
  event: TrackerEvent;
  state: TrackedState;
}

/**
 * H4: the tracker's own road on a virtual clock. It hears of screens and of submitted input, of nothing else: no exit, no
 * probe. Ends with the recording.
 */
export function* playRecording(recording: Recording, tracker: Tracker): Generator<Played> {
  for (const { event } of trackerEvents(recording, () => tracker.nextTimerMs))
    yield { event, state: tracker.apply(event) };
}

/** The same without a tracker: what one would hear. `nextTimerMs` adds ticks where its timers are due. */
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

/** When the screen is looked at, and what is seen. */
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

/** Its styles are there until the next write: a detector looks at a screen when it comes, never later. */
function seenOn(screen: Screen): TuiScreen {
  const { visibleLines: lines, ...snapshot } = screen.styledSnapshot();
  return { ...snapshot, lines };
}
