import { unreachable } from "./illegal-transition.ts";
/** The facts about a Triage Agent's activity (O2). Only the lifecycle writes them. */
export interface ActivityFacts {
  state: ActivityState;
  isTerminated: boolean;
  /** The time of the Triage Agent's launch; null before it. */
  spawnedAtMs: number | null;
  /** The time of the first activity signal of this launch; null until it arrives. */
  firstSignalAtMs: number | null;
  /** The time of the last change of `state`. A repeated signal changes nothing and is not written. */
  lastActivityAtMs: number;
  /** Whether this Triage Agent can signal its activity. One that cannot is never `no_signal`. */
  isSignalCapable: boolean;
  /** The exit code of the ended Triage Agent; null while it runs and when its end was only inferred. */
  exitCode: number | null;
}

export const activityStates = ["active", "idle", "waiting_input", "exited"] as const;
export type ActivityState = (typeof activityStates)[number];

/** `unknown` covers a probe that failed and a probe that could not be made (O13). */
type ProbeVerdict = "alive" | "dead" | "unknown";

export type ActivityEvent =
  | { type: "spawn-completed"; isSignalCapable: boolean; atMs: number }
  | { type: "activity-signalled"; activity: Exclude<ActivityState, "exited">; atMs: number }
  | { type: "triage-agent-exited"; exitCode: number | null; atMs: number }
  | { type: "probed"; runtime: ProbeVerdict; process: ProbeVerdict; atMs: number }
  | { type: "terminated"; atMs: number };

/** Activity younger than this contradicts a probe that reports death (O12). */
const RECENT_ACTIVITY_MS = 60_000;

/** Returns the activity of a run whose Triage Agent has not been launched. */
export function newActivity(atMs: number): ActivityFacts {
  return {
    state: "idle",
    isTerminated: false,
    spawnedAtMs: null,
    firstSignalAtMs: null,
    lastActivityAtMs: atMs,
    isSignalCapable: false,
    exitCode: null,
  };
}

/** Returns the activity after an event. It is the same object when nothing changes; the ledger then writes nothing. */
export function transitionActivity(facts: ActivityFacts, event: ActivityEvent): ActivityFacts {
  switch (event.type) {
    case "spawn-completed":
      return {
        ...newActivity(event.atMs),
        spawnedAtMs: event.atMs,
        isSignalCapable: event.isSignalCapable,
      };
    case "activity-signalled":
      return signalled(facts, event.activity, event.atMs);
    case "triage-agent-exited":
      return terminated(facts, event.exitCode, event.atMs);
    case "probed":
      return isProvenDead(facts, event) ? terminated(facts, null, event.atMs) : facts;
    case "terminated":
      return terminated(facts, null, event.atMs);
    default:
      return unreachable(event);
  }
}

function signalled(facts: ActivityFacts, state: ActivityState, atMs: number): ActivityFacts {
  if (facts.isTerminated) return facts;
  if (facts.state === state && facts.firstSignalAtMs !== null) return facts;
  return {
    ...facts,
    state,
    firstSignalAtMs: facts.firstSignalAtMs ?? atMs,
    lastActivityAtMs: facts.state === state ? facts.lastActivityAtMs : atMs,
  };
}

function terminated(facts: ActivityFacts, exitCode: number | null, atMs: number): ActivityFacts {
  if (facts.isTerminated) return facts;
  return { ...facts, state: "exited", isTerminated: true, exitCode, lastActivityAtMs: atMs };
}

/**
 * Returns whether the Triage Agent is proven dead. A Triage Agent that waits for a person is silent, so waiting always counts as
 * recent activity.
 */
function isProvenDead(facts: ActivityFacts, probe: ActivityEvent & { type: "probed" }): boolean {
  if (probe.runtime !== "dead" || probe.process !== "dead") return false;
  if (facts.state === "waiting_input") return false;
  return probe.atMs - facts.lastActivityAtMs > RECENT_ACTIVITY_MS;
}
