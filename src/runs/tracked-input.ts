import { type Clock, OperationalError } from "agent-tty/kit";
import {
  type Evidence,
  type LiveTracker,
  sendGate,
  submitPrompt,
  type TrackedState,
  type TuiInput,
} from "../tui/index.ts";
import type { InputGate, SendResult } from "./input-gate.ts";
import type { Liveness, Posture } from "./runner-verdict.ts";

/** A TUI that is tracked, as its run's owner asks for it. */
export interface TrackedInput {
  gate: InputGate;
  posture: () => Promise<Posture>;
  liveness: () => Promise<Liveness>;
}

export function trackedInput(tracker: LiveTracker, input: TuiInput, clock: Clock): TrackedInput {
  return {
    gate: { send: (text, signal) => send(tracker, input, { text, signal, clock }) },
    posture: async () => {
      const { tracked, stableForMs } = tracker.observe();
      return postureOf(tracked, stableForMs);
    },
    liveness: async () => livenessOf(tracker.observe().tracked),
  };
}

/** H39: nothing is typed unless the screen, as it is at that moment, allows it. Rejects with TUI_SUBMIT_LOST. */
async function send(
  tracker: LiveTracker,
  input: TuiInput,
  message: { text: string; signal: AbortSignal; clock: Clock },
): Promise<SendResult> {
  try {
    await submitPrompt({ tracker, input, ...message });
    return { type: "sent" };
  } catch (error) {
    if (!(error instanceof OperationalError) || error.code !== "TUI_NOT_READY") throw error;
    const gate = sendGate(tracker.state);
    const reason = gate.type === "closed" ? gate.reason : "not-ready";
    return { type: "refused", reason, remedy: error.remedy };
  }
}

/** A TUI that works shows its time: one that says so and has not moved for so long proves nothing any more. */
const STUCK_AFTER_MS = 60_000;

/**
 * C5: a row that says "working" counts while the live prompt is on the screen with it: without one it may be an old one,
 * above an answer that came since.
 */
export function postureOf(state: TrackedState, unchangedMs: number): Posture {
  const { diagnostics, surface, turn } = state;
  if (diagnostics.availability !== "available") return "unknown";
  if (surface.shows.type === "dialog") return "waiting";
  if (turn.phase === "ready") return "ready";
  const isBusy = turn.phase === "active" && surface.shows.type === "composer" && !isBelowPrompt(state);
  return isBusy && unchangedMs < STUCK_AFTER_MS ? "busy" : "unknown";
}

/** O13: a tracker proves that a TUI lives. That it is gone is its process's to tell, and its run is told by that. */
function livenessOf({ diagnostics }: TrackedState): Liveness {
  return diagnostics.availability === "available" ? "alive" : "unknown";
}

/** A status row stands above the prompt it keeps busy; below it, nothing but that row says that a Turn runs. */
function isBelowPrompt({ turn, evidence }: TrackedState): boolean {
  if (turn.activeReasons.some((reason) => reason !== "status_row")) return false;
  const promptRow = rowOf("accepting_input", evidence);
  const statusRow = rowOf("active", evidence);
  return promptRow !== null && statusRow !== null && statusRow > promptRow;
}

function rowOf(signal: Evidence["signal"], evidence: readonly Evidence[]): number | null {
  return evidence.find((one) => one.signal === signal)?.row ?? null;
}
