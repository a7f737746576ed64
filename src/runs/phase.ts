import { z } from "zod";
import { illegalTransition } from "./illegal-transition.ts";

/** The phases in order. A run may skip phases (when it is locked, failed or repaired) but never returns to an earlier one. */
export const runPhases = [
  "selected",
  "creating",
  "preparing",
  "triaging",
  "verifying",
  "applying",
  "destroying",
  "settled",
] as const;
export type RunPhase = (typeof runPhases)[number];

export interface PhaseStep {
  phase: RunPhase;
  atMs: number;
}

/** `history` contains every phase that the run has entered, in ascending order; the last one is the current phase. */
export type PhaseFacts =
  | { phase: Exclude<RunPhase, "settled">; history: readonly PhaseStep[] }
  | { phase: "settled"; history: readonly PhaseStep[]; end: TriageRunEnd };

/** The end of one issue's processing, as in the batch summary. `reason` is a stable kebab-case code. */
export type TriageRunEnd =
  | { status: "applied"; reason: string; outcome: string }
  | { status: "skipped" | "locked"; reason: string }
  /** The outcome was produced but not applied, because the issue had changed in the meantime. */
  | { status: "requeued"; reason: string; outcome: string | null }
  | {
      status: "failed";
      reason: string;
      outcome: string | null;
      error: { code: string; message: string; remedy: string };
    };

/** The schema of a run's end, for the store's file and for a parent's control socket. */
export const triageRunEndSchema: z.ZodType<TriageRunEnd> = z.discriminatedUnion("status", [
  z.object({ status: z.literal("applied"), reason: z.string(), outcome: z.string() }),
  z.object({ status: z.enum(["skipped", "locked"]), reason: z.string() }),
  z.object({ status: z.literal("requeued"), reason: z.string(), outcome: z.string().nullable() }),
  z.object({
    status: z.literal("failed"),
    reason: z.string(),
    outcome: z.string().nullable(),
    error: z.object({ code: z.string(), message: z.string(), remedy: z.string() }),
  }),
]);

export type PhaseEvent =
  | { type: "phase-entered"; phase: Exclude<RunPhase, "selected" | "settled">; atMs: number }
  | { type: "run-settled"; end: TriageRunEnd; atMs: number };

/** Returns the phase after an event. Throws when the run is settled or the new phase is not after the current one. */
export function transitionPhase(facts: PhaseFacts, event: PhaseEvent): PhaseFacts {
  const phase: RunPhase = event.type === "run-settled" ? "settled" : event.phase;
  if (runPhases.indexOf(phase) <= runPhases.indexOf(facts.phase))
    illegalTransition("Triage Run phase", facts.phase, phase);
  const history: PhaseStep[] = [...facts.history, { phase, atMs: event.atMs }];
  return event.type === "run-settled"
    ? { phase: "settled", history, end: event.end }
    : { phase: event.phase, history };
}
