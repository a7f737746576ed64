import type { Clock } from "agent-tty/kit";
import type { Posture } from "../runner-verdict.ts";
import { advanceMonitor, type MonitorFact, type MonitorSettings, newMonitor } from "./advance-monitor.ts";

/** What the monitor looks at: a Session's screen. */
export interface MonitorSource {
  /** Grows with every output; while it stands still, the screen is not read again. */
  mark(): number;
  /** The visible text, trimmed. May reject when there is nothing to look at any more. */
  look(): Promise<{ text: string; posture: Posture }>;
}

/**
 * Looks at intervals until disposed, and tells what was seen. `startedAtMs` is when the prompt was admitted, perhaps by
 * an earlier parent. It never keeps the process alive.
 */
export function startMonitor(
  source: MonitorSource,
  startedAtMs: number,
  ports: { clock: Clock; settings: MonitorSettings; tell: (fact: MonitorFact) => void },
): Disposable {
  const { clock, settings, tell } = ports;
  let state = newMonitor(startedAtMs);
  let seen = { mark: Number.NaN, text: "", posture: "unknown" as Posture };
  let timer: Disposable | null = null;
  let isOver = false;
  const plan = (): void => {
    if (isOver) return;
    const durationMs = state.shown === null ? settings.firstOutputPollMs : settings.updateIntervalMs;
    timer = clock.schedule(durationMs, () => void tick().then(plan));
  };
  const tick = async (): Promise<void> => {
    const mark = source.mark();
    if (mark !== seen.mark) {
      const looked = await source.look().catch(() => null);
      if (looked !== null) seen = { mark, ...looked };
    }
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
