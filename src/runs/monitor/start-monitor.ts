import type { Clock } from "agent-tty/kit";
import type { Posture } from "../runner-verdict.ts";
import { advanceMonitor, type MonitorFact, type MonitorSettings, newMonitor } from "./advance-monitor.ts";

/** What the monitor looks at: a Session's screen. */
export interface MonitorSource {
  /** Grows with every output; while it stands still, only a screen that says it works is read again. */
  mark(): number;
  /** The visible text, trimmed. May reject when there is nothing to look at any more. */
  look(): Promise<{ text: string; posture: Posture }>;
}

export interface MonitorPorts {
  clock: Clock;
  settings: MonitorSettings;
  tell: (fact: MonitorFact) => void;
  /** Whether anybody wants the text. While nobody does, output is noted without reading the screen, which costs. */
  isWatched: () => boolean;
}

interface Seen {
  mark: number;
  text: string;
  posture: Posture;
}

/**
 * Looks at intervals until disposed, and tells what was seen. `startedAtMs` is when the prompt was admitted, perhaps by
 * an earlier parent. It never keeps the process alive.
 */
export function startMonitor(source: MonitorSource, startedAtMs: number, ports: MonitorPorts): Disposable {
  const { clock, settings, tell, isWatched } = ports;
  let state = newMonitor(startedAtMs);
  let seen: Seen = { mark: Number.NaN, text: "", posture: "unknown" };
  /** The last mark at which the screen was read. */
  let readMark = Number.NaN;
  let timer: Disposable | null = null;
  let isOver = false;
  const plan = (): void => {
    if (isOver) return;
    const durationMs = state.shown === null ? settings.firstOutputPollMs : settings.updateIntervalMs;
    timer = clock.schedule(durationMs, () => void tick().then(plan));
  };
  const read = async (mark: number): Promise<void> => {
    const looked = await source.look().catch(() => null);
    if (looked === null) return;
    readMark = mark;
    // The same output, now in its own words: no news.
    if (mark === seen.mark && state.shown !== null && looked.text !== "")
      state = { ...state, shown: { ...state.shown, text: looked.text } };
    seen = { mark, ...looked };
  };
  const tick = async (): Promise<void> => {
    const mark = source.mark();
    const isNew = mark !== seen.mark;
    const isWanted = isNew ? state.shown === null || isWatched() : true;
    // Work is believed only as long as whoever says so goes on saying it.
    if (isWanted && (mark !== readMark || seen.posture === "busy")) await read(mark);
    else if (isNew && mark !== readMark) seen = { mark, text: `output up to ${mark}`, posture: "unknown" };
    if (isOver) return;
    const { text, posture } = seen;
    const advanced = advanceMonitor(state, { text, posture, atMs: clock.nowMs() }, settings);
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
