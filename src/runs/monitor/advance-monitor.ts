import type { Posture } from "../runner-verdict.ts";

export interface MonitorSettings {
  /** Between two looks once something was shown, in milliseconds. */
  updateIntervalMs: number;
  /** Between two looks while nothing was shown yet. */
  firstOutputPollMs: number;
  /** Unchanged for so long after output, and not busy: idle after output. */
  idleTimeoutMs: number;
  /** Nothing shown for so long since the prompt: no visible output yet. It settles nothing (C15). */
  noOutputTimeoutMs: number;
  /** C11: how long a prompt counts as `running`; then it is detached. */
  observationWindowMs: number;
}

export const defaultMonitorSettings: MonitorSettings = {
  updateIntervalMs: 2_000,
  firstOutputPollMs: 250,
  idleTimeoutMs: 6_000,
  noOutputTimeoutMs: 20_000,
  observationWindowMs: 30 * 60_000,
};

/** C6: what was seen, and nothing about what it means. */
export type MonitorFact =
  | { type: "running-delta"; text: string; atMs: number }
  | { type: "idle-after-output"; text: string; atMs: number }
  | { type: "no-visible-output"; atMs: number }
  | { type: "max-runtime-reached"; atMs: number };

export interface MonitorLook {
  /** The visible text, trimmed by whoever looks. */
  text: string;
  posture: Posture;
  atMs: number;
}

export interface MonitorState {
  startedAtMs: number;
  /** The last visible text that was not empty; null before any. */
  shown: { text: string; sinceMs: number } | null;
  /** What was last said of the present silence. */
  silence: "unsaid" | "said";
  window: "open" | "ended";
}

export function newMonitor(startedAtMs: number): MonitorState {
  return { startedAtMs, shown: null, silence: "unsaid", window: "open" };
}

/** Each fact once: a delta when the text changed, a silence once until the next delta, the window's end once. */
export function advanceMonitor(
  state: MonitorState,
  look: MonitorLook,
  settings: MonitorSettings,
): { state: MonitorState; facts: MonitorFact[] } {
  const isDelta = look.text !== "" && look.text !== state.shown?.text;
  const next: MonitorState = isDelta
    ? { ...state, shown: { text: look.text, sinceMs: look.atMs }, silence: "unsaid" }
    : { ...state };
  const facts: MonitorFact[] = isDelta ? [{ type: "running-delta", text: look.text, atMs: look.atMs }] : [];
  const silence = next.silence === "unsaid" ? silenceOf(next, look, settings) : null;
  if (silence !== null) {
    next.silence = "said";
    facts.push(silence);
  }
  if (state.window === "open" && look.atMs - state.startedAtMs >= settings.observationWindowMs) {
    next.window = "ended";
    facts.push({ type: "max-runtime-reached", atMs: look.atMs });
  }
  return { state: next, facts };
}

function silenceOf(state: MonitorState, look: MonitorLook, settings: MonitorSettings): MonitorFact | null {
  const { shown, startedAtMs } = state;
  const { atMs } = look;
  if (shown === null)
    return atMs - startedAtMs > settings.noOutputTimeoutMs ? { type: "no-visible-output", atMs } : null;
  // A screen that says it works is not idle, however still it stands.
  if (look.posture === "busy" || atMs - shown.sinceMs < settings.idleTimeoutMs) return null;
  return { type: "idle-after-output", text: shown.text, atMs };
}
