import type { TuiScreen, TrackedState, Tracker, TrackerEvent } from "../../../src/tui/index.ts";
import { createScreen, type Screen } from "agent-tty/testing";
import type { Recording } from "./recording.ts";

/** How long changes are gathered before a screen is looked at; also the shortest time between two looks. */
const GATHER_MS = 50;
/** How often a screen is looked at though nothing came. */
const TICK_MS = 250;

/** What the tracker was told and what it made of it. */
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
  const sampling = new Sampling();
  const look = (atMs: number): { event: TrackerEvent } => ({
    event: { type: "screen", screen: tuiScreen(screen), atMs },
  });
  function* until(endMs: number): Generator<{ event: TrackerEvent }> {
    for (;;) {
      const timerMs = nextTimerMs() ?? Number.POSITIVE_INFINITY;
      const atMs = Math.min(sampling.dueMs, Math.max(timerMs, sampling.nowMs));
      if (atMs > endMs) break;
      const isScreenDue = sampling.dueMs <= atMs;
      sampling.passTo(atMs, isScreenDue);
      yield isScreenDue ? look(atMs) : { event: { type: "tick", atMs } };
    }
    sampling.nowMs = Math.max(sampling.nowMs, endMs);
  }
  let seq = 0;
  for (const event of events) {
    yield* until(event.t_ms);
    seq += 1;
    if (event.type === "output") screen.write(event.b64, seq);
    if (event.type === "resize") screen.resize(event.cols, event.rows, seq);
    if (event.type !== "input") sampling.changed();
    else if (event.sem === "submit") yield { event: { type: "submitted", atMs: event.t_ms } };
  }
  yield* until(durationMs);
}

/** When the next screen is due. */
class Sampling {
  nowMs = 0;
  #changeDueMs = Number.POSITIVE_INFINITY;
  #tickMs = 0;

  get dueMs(): number {
    return Math.min(this.#changeDueMs, this.#tickMs);
  }

  changed(): void {
    this.#changeDueMs = Math.min(this.#changeDueMs, this.nowMs + GATHER_MS);
  }

  passTo(atMs: number, isScreenTaken: boolean): void {
    this.nowMs = atMs;
    if (!isScreenTaken) return;
    this.#changeDueMs = Number.POSITIVE_INFINITY;
    if (this.#tickMs <= atMs) this.#tickMs += TICK_MS;
  }
}

function tuiScreen(screen: Screen): TuiScreen {
  const { visibleLines, cols, rows, cursor, title, programReport, cells } = screen.detailedSnapshot();
  return {
    cols,
    rows,
    lines: visibleLines,
    cellsOf: (row) => cells[row] ?? [],
    cursor: { row: cursor.row, col: cursor.col, visible: cursor.visible },
    title,
    programReport,
  };
}
