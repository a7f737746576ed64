import { illegalTransition, unreachable } from "./illegal-transition.ts";

/** C8, C9: the Run State of the active prompt. `startedAtMs` is when the prompt was admitted. */
export type RunStateFacts =
  | { state: "idle"; lastReportAtMs: number | null }
  | LivePrompt<"running">
  | (LivePrompt<"detached"> & { detachedAtMs: number });

interface LivePrompt<State extends "running" | "detached"> {
  state: State;
  startedAtMs: number;
  lastReportAtMs: number | null;
  /** C16: when the Triage Agent gave its explicit final report; null until then. The prompt is live all the same. */
  finalReportAtMs: number | null;
}

export const runStates = ["idle", "running", "detached"] as const;
export type RunState = (typeof runStates)[number];

/** C18: what may return a run to idle. Silence and timeouts of observers are not here, on purpose. */
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
  /** Any observed output or progress note: news, never an end. */
  | { type: "report-observed"; atMs: number }
  /** C16: the Triage Agent says it is done; whether it is, its end tells. */
  | { type: "final-report-observed"; atMs: number }
  | { type: "observation-window-ended"; atMs: number }
  | { type: "prompt-settled"; evidence: SettlementEvidence };

export type Admission = { type: "open" } | { type: "closed"; runState: "running" | "detached" };

export const idleRunState: RunStateFacts = { state: "idle", lastReportAtMs: null };

/** C12: ask before admitting. A refused prompt is an expected outcome and no event of the machine. */
export function admission(facts: RunStateFacts): Admission {
  return facts.state === "idle" ? { type: "open" } : { type: "closed", runState: facts.state };
}

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
