import type { Clock } from "agent-tty/kit";
import type { Posture } from "./runner-verdict.ts";
import { advanceMonitor, MONITOR_TIMES, type MonitorFact, newMonitor } from "./advance-monitor.ts";

/** The source of a monitor: a Session's screen. */
export interface MonitorSource {
  /**
   * Returns a number that increases with every output. While it does not change, only a screen that reports work is read again.
   */
  mark(): number;
  /** Returns the visible text, trimmed, and the posture. May reject when the Session is gone. */
  look(): Promise<{ text: string; posture: Posture }>;
}

export interface MonitorPorts {
  clock: Clock;
  tell: (fact: MonitorFact) => void;
  /**
   * Whether an observer receives the text. If not, output is recorded without reading the screen, because reading is expensive.
   */
  isWatched: () => boolean;
}

interface Seen {
  mark: number;
  text: string;
  posture: Posture;
}

/**
 * Reads the screen at intervals until disposed, and reports the facts. `startedAtMs` is the time at which the prompt was
 * admitted, possibly by an earlier parent. The timer does not keep the process alive.
 */
export function startMonitor(source: MonitorSource, startedAtMs: number, ports: MonitorPorts): Disposable {
  const { clock, tell, isWatched } = ports;
  let state = newMonitor(startedAtMs);
  let seen: Seen = { mark: Number.NaN, text: "", posture: "unknown" };
  /** The mark at the last read of the screen. */
  let readMark = Number.NaN;
  let timer: Disposable | null = null;
  let isOver = false;
  const plan = (): void => {
    if (isOver) return;
    const durationMs =
      state.shown === null ? MONITOR_TIMES.firstOutputPollMs : MONITOR_TIMES.updateIntervalMs;
    timer = clock.schedule(durationMs, () => void tick().then(plan));
  };
  const read = async (mark: number): Promise<void> => {
    const looked = await source.look().catch(() => null);
    if (looked === null) return;
    readMark = mark;
    // The output was already reported without its text, so its text is not a new delta.
    if (mark === seen.mark && state.shown !== null && looked.text !== "")
      state = { ...state, shown: { ...state.shown, text: looked.text } };
    seen = { mark, ...looked };
  };
  const tick = async (): Promise<void> => {
    const mark = source.mark();
    const isNew = mark !== seen.mark;
    const isWanted = isNew ? state.shown === null || isWatched() : true;
    // While the posture is busy, the screen is read at every tick, so that the posture ends when the screen no longer reports
    // work.
    if (isWanted && (mark !== readMark || seen.posture === "busy")) await read(mark);
    else if (isNew && mark !== readMark) seen = { mark, text: `output up to ${mark}`, posture: "unknown" };
    if (isOver) return;
    const { text, posture } = seen;
    const advanced = advanceMonitor(state, { text, posture, atMs: clock.nowMs() });
    state = advanced.state;
    for (const fact of advanced.facts) tell(fact);
  };
  plan();
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      timer?.[Symbol.dispose]();
    },
  };
}
