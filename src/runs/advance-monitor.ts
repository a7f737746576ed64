import type { Posture } from "./runner-verdict.ts";

/** The times of the monitor, in milliseconds. */
export const MONITOR_TIMES = {
  /** The interval between two reads of the screen after the first output. */
  updateIntervalMs: 2_000,
  /** The interval between two reads of the screen before the first output. */
  firstOutputPollMs: 250,
  /** The time without a change of the text that counts as idle after output, if the posture is not busy. */
  idleTimeoutMs: 6_000,
  /** The time without output since the prompt that counts as no visible output. It does not settle the prompt (C15). */
  noOutputTimeoutMs: 20_000,
  /** The time for which a prompt counts as `running` before it is detached (C11). */
  observationWindowMs: 30 * 60_000,
} as const;

/** An observation without interpretation (C6). */
export type MonitorFact =
  | { type: "running-delta"; text: string; atMs: number }
  | { type: "idle-after-output"; text: string; atMs: number }
  | { type: "no-visible-output"; atMs: number }
  | { type: "max-runtime-reached"; atMs: number };

export interface MonitorLook {
  /** The visible text, trimmed. */
  text: string;
  posture: Posture;
  atMs: number;
}

export interface MonitorState {
  startedAtMs: number;
  /** The last visible text that was not empty; null until there is one. */
  shown: { text: string; sinceMs: number } | null;
  /** Whether the current silence was already reported. */
  silence: "unsaid" | "said";
  window: "open" | "ended";
}

/** Returns the state of a monitor that has not read the screen yet. */
export function newMonitor(startedAtMs: number): MonitorState {
  return { startedAtMs, shown: null, silence: "unsaid", window: "open" };
}

/**
 * Returns the monitor after one read of the screen, with the facts to report. Each fact is reported once: a delta per change of the
 * text, a silence once until the next delta, and the end of the observation window once.
 */
export function advanceMonitor(
  state: MonitorState,
  look: MonitorLook,
): { state: MonitorState; facts: MonitorFact[] } {
  const isDelta = look.text !== "" && look.text !== state.shown?.text;
  const next: MonitorState = isDelta
    ? { ...state, shown: { text: look.text, sinceMs: look.atMs }, silence: "unsaid" }
    : { ...state };
  const facts: MonitorFact[] = isDelta ? [{ type: "running-delta", text: look.text, atMs: look.atMs }] : [];
  const silence = next.silence === "unsaid" ? silenceOf(next, look) : null;
  if (silence !== null) {
    next.silence = "said";
    facts.push(silence);
  }
  if (state.window === "open" && look.atMs - state.startedAtMs >= MONITOR_TIMES.observationWindowMs) {
    next.window = "ended";
    facts.push({ type: "max-runtime-reached", atMs: look.atMs });
  }
  return { state: next, facts };
}

function silenceOf(state: MonitorState, look: MonitorLook): MonitorFact | null {
  const { shown, startedAtMs } = state;
  const { atMs } = look;
  if (shown === null)
    return atMs - startedAtMs > MONITOR_TIMES.noOutputTimeoutMs ? { type: "no-visible-output", atMs } : null;
  // A screen that reports work is not idle, even if it does not change.
  if (look.posture === "busy" || atMs - shown.sinceMs < MONITOR_TIMES.idleTimeoutMs) return null;
  return { type: "idle-after-output", text: shown.text, atMs };
}
