import { illegalTransition, unreachable } from "./illegal-transition.ts";

/** The Run State of the active prompt (C8, C9). `startedAtMs` is the time at which the prompt was admitted. */
export type RunStateFacts =
  | { state: "idle"; lastReportAtMs: number | null }
  | LivePrompt<"running">
  | (LivePrompt<"detached"> & { detachedAtMs: number });

interface LivePrompt<State extends "running" | "detached"> {
  state: State;
  startedAtMs: number;
  lastReportAtMs: number | null;
  /** The time of the Triage Agent's explicit final report; null until then. The prompt stays live after it (C16). */
  finalReportAtMs: number | null;
}

export const runStates = ["idle", "running", "detached"] as const;
export type RunState = (typeof runStates)[number];

/** The evidence that may return a run to idle (C18). Silence and observer timeouts are deliberately not included. */
export const settlementEvidences = [
  "turn-outcome",
  "proven-death",
  "stop",
  "run-deadline",
  "runner-missing",
] as const;
export type SettlementEvidence = (typeof settlementEvidences)[number];

export type RunStateEvent =
  | { type: "prompt-admitted"; atMs: number }
  /** Output or a progress note was observed. It never ends the prompt. */
  | { type: "report-observed"; atMs: number }
  /** The Triage Agent reports that it is done (C16). The prompt is settled only when the Triage Agent ends. */
  | { type: "final-report-observed"; atMs: number }
  | { type: "observation-window-ended"; atMs: number }
  | { type: "prompt-settled"; evidence: SettlementEvidence };

export type Admission = { type: "open" } | { type: "closed"; runState: "running" | "detached" };

export const idleRunState: RunStateFacts = { state: "idle", lastReportAtMs: null };

/**
 * Returns whether a prompt may be admitted (C12). A refusal is an expected outcome and not an event of the machine.
 */
export function admission(facts: RunStateFacts): Admission {
  return facts.state === "idle" ? { type: "open" } : { type: "closed", runState: facts.state };
}

/** Returns the Run State after an event. Throws on an event that is impossible in the current state. */
export function transitionRunState(facts: RunStateFacts, event: RunStateEvent): RunStateFacts {
  const illegal = (): never => illegalTransition("Run State", facts.state, event.type);
  switch (event.type) {
    case "prompt-admitted":
      return facts.state === "idle"
        ? { state: "running", startedAtMs: event.atMs, lastReportAtMs: null, finalReportAtMs: null }
        : illegal();
    case "report-observed":
      return facts.state === "idle" ? illegal() : { ...facts, lastReportAtMs: event.atMs };
    case "final-report-observed":
      return facts.state === "idle"
        ? illegal()
        : { ...facts, lastReportAtMs: event.atMs, finalReportAtMs: facts.finalReportAtMs ?? event.atMs };
    case "observation-window-ended":
      return facts.state === "running"
        ? { ...facts, state: "detached", detachedAtMs: event.atMs }
        : illegal();
    case "prompt-settled":
      return facts.state === "idle" ? illegal() : { state: "idle", lastReportAtMs: facts.lastReportAtMs };
    default:
      return unreachable(event);
  }
}
