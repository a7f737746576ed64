import { createVirtualClock, type VirtualClock } from "agent-tty/testing";
import {
  createTracker,
  type LiveTracker,
  type RuntimeFacts,
  startLiveTracker,
  type TuiInput,
  type TuiSignals,
  type TuiSource,
} from "../../../src/tui/index.ts";
import { IDLE, scriptedProfile, scriptedScreen, told } from "../tracker/scripted-tui.ts";

/** A terminal whose screen and clock the test controls. */
export interface ScriptedTerminal extends AsyncDisposable {
  clock: VirtualClock;
  tracker: LiveTracker;
  input: TuiInput;
  /** The input that was sent, in order. */
  sent: string[];
  /** Every published state, one line each. */
  told: string[];
  show(signals: Partial<TuiSignals>, text?: string): void;
  runtime: RuntimeFacts;
  /** The message of a failing read of the screen; null: reads succeed. */
  failure: string | null;
  onKeys: () => void;
}

export async function scriptedTerminal(): Promise<ScriptedTerminal> {
  const clock = createVirtualClock();
  const terminal = new Terminal(clock);
  const detection = { profile: scriptedProfile, observedVersion: "1.0.0", profileExtrapolated: false };
  const tracker = startLiveTracker({ source: terminal, clock, tracker: createTracker(detection) });
  const lines: string[] = [];
  tracker.subscribe((state) => lines.push(`${state.diagnostics.availability} ${told(state)}`));
  await clock.advance(0);
  return Object.assign(terminal, {
    tracker,
    told: lines,
    [Symbol.asyncDispose]: () => tracker[Symbol.asyncDispose](),
  });
}

class Terminal implements TuiSource {
  readonly clock: VirtualClock;
  readonly sent: string[] = [];
  runtime: RuntimeFacts = { terminal: "up", process: "alive", probeError: null };
  failure: string | null = null;
  onKeys: () => void = () => undefined;
  readonly input: TuiInput = {
    paste: async (text) => this.sent.push(`paste ${text}`),
    sendKeys: async (keys) => {
      const seq = this.sent.push(keys.join(" "));
      this.onKeys();
      return seq;
    },
  };
  #shown: { seq: number; signals: Partial<TuiSignals>; text: string } = { seq: 1, signals: IDLE, text: "" };
  #wake: () => void = () => undefined;

  constructor(clock: VirtualClock) {
    this.clock = clock;
  }

  show(signals: Partial<TuiSignals>, text = ""): void {
    this.#shown = { seq: this.#shown.seq + 1, signals, text };
    this.#wake();
  }

  async look(): ReturnType<TuiSource["look"]> {
    if (this.failure !== null) throw new Error(this.failure);
    const { seq, signals, text } = this.#shown;
    return { seq, screen: scriptedScreen(signals, text) };
  }

  async changed(afterSeq: number, patienceMs: number, signal: AbortSignal): Promise<void> {
    if (this.#shown.seq > afterSeq) return;
    const change = new AbortController();
    this.#wake = () => change.abort();
    await this.clock.sleep(patienceMs, AbortSignal.any([signal, change.signal])).catch(() => undefined);
  }

  async probe(): Promise<RuntimeFacts> {
    return this.runtime;
  }
}
