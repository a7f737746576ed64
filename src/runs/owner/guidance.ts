import type { TriageRunFacts } from "../triage-run-facts.ts";
import { triageRunKey } from "../triage-run-facts.ts";

/** The answer to a prompt that is not admitted because the run already has an active prompt (C12). */
export interface ActiveRunGuidance {
  runState: "running" | "detached";
  startedAtMs: number;
  message: string;
  remedy: string;
}

/** Returns the guidance for the run's active prompt. */
export function activeRunGuidance(facts: TriageRunFacts): ActiveRunGuidance {
  const { runState, number } = facts;
  if (runState.state === "idle") throw new Error(`${triageRunKey(facts)} has no active prompt`);
  const { state, startedAtMs } = runState;
  return {
    runState: state,
    startedAtMs,
    message: `${triageRunKey(facts)} has an active prompt (${state} since ${new Date(startedAtMs).toISOString()}); a second prompt is not admitted`,
    remedy: `Follow it with \`afk-triage attach ${number}\`, or end it with \`afk-triage stop ${number}\`.`,
  };
}
