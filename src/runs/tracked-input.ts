import { type Clock, OperationalError } from "agent-tty/kit";
import {
  answerShownDialog,
  type Evidence,
  type LiveTracker,
  sendGate,
  submitPrompt,
  type TrackedState,
  type TuiInput,
} from "../tui/index.ts";
import type { InputGate, SendResult } from "./input-gate.ts";
import type { Liveness, Posture } from "./runner-verdict.ts";

/** The gate and the probes of a tracked TUI, for the owner of its run. */
export interface TrackedInput {
  gate: InputGate;
  posture: () => Promise<Posture>;
  liveness: () => Promise<Liveness>;
}

/** Returns the gate and the probes of a TUI, built from its live tracker. */
export function trackedInput(tracker: LiveTracker, input: TuiInput, clock: Clock): TrackedInput {
  return {
    gate: {
      send: (text, signal) => send(tracker, input, { text, signal, clock }),
      answer: (answer, signal) => answerShownDialog(answer, { tracker, input, signal }),
    },
    posture: async () => {
      const { tracked, stableForMs } = tracker.observe();
      return postureOf(tracked, stableForMs);
    },
    liveness: async () => livenessOf(tracker.observe().tracked),
  };
}

/** Types the text only if the current screen allows it (H39). Rejects with TUI_SUBMIT_LOST. */
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

/**
 * A working TUI updates its elapsed time. A screen that reports work but has not changed for this long does not prove that the
 * TUI works.
 */
const STUCK_AFTER_MS = 60_000;

/**
 * Returns the posture (C5). A "working" row counts only while the live prompt is on the same screen: without the prompt, the row
 * may be an old one above a newer answer.
 */
export function postureOf(state: TrackedState, unchangedMs: number): Posture {
  const { diagnostics, surface, turn } = state;
  if (diagnostics.availability !== "available") return "unknown";
  if (surface.shows.type === "dialog") return "waiting";
  if (turn.phase === "ready") return "ready";
  const isBusy = turn.phase === "active" && surface.shows.type === "composer" && !isBelowPrompt(state);
  return isBusy && unchangedMs < STUCK_AFTER_MS ? "busy" : "unknown";
}

/**
 * Returns whether the TUI is proven alive. A tracker can prove that a TUI is alive (O13), but never that it is dead: its death is
 * reported by its process.
 */
function livenessOf({ diagnostics }: TrackedState): Liveness {
  return diagnostics.availability === "available" ? "alive" : "unknown";
}

/**
 * Returns whether a status row below the prompt is the only sign of work. A status row of the current Turn is above the prompt, so
 * a row below it is weak evidence.
 */
function isBelowPrompt({ turn, evidence }: TrackedState): boolean {
  if (turn.activeReasons.some((reason) => reason !== "status_row")) return false;
  const promptRow = rowOf("accepting_input", evidence);
  const statusRow = rowOf("active", evidence);
  return promptRow !== null && statusRow !== null && statusRow > promptRow;
}

function rowOf(signal: Evidence["signal"], evidence: readonly Evidence[]): number | null {
  return evidence.find((one) => one.signal === signal)?.row ?? null;
}
