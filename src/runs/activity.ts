import { unreachable } from "./illegal-transition.ts";
/** O2: what the lifecycle knows of a Triage Agent. Lifecycle is the only writer. */
export interface ActivityFacts {
  state: ActivityState;
  isTerminated: boolean;
  /** When the Triage Agent was launched; null before. */
  spawnedAtMs: number | null;
  /** When the first activity signal of this launch arrived; null until then. */
  firstSignalAtMs: number | null;
  /** When `state` last changed: a repeated signal is no news and is not written. */
  lastActivityAtMs: number;
  /** Whether this Triage Agent can signal at all; one that cannot is never `no_signal`. */
  isSignalCapable: boolean;
  /** Of the ended Triage Agent; null while it lives and when its end was only inferred. */
  exitCode: number | null;
}

export const activityStates = ["active", "idle", "waiting_input", "exited"] as const;
export type ActivityState = (typeof activityStates)[number];

/** O13: `unknown` covers a probe that failed and one that could not be made. */
type ProbeVerdict = "alive" | "dead" | "unknown";

export type ActivityEvent =
  | { type: "spawn-completed"; isSignalCapable: boolean; atMs: number }
  | { type: "activity-signalled"; activity: Exclude<ActivityState, "exited">; atMs: number }
  | { type: "triage-agent-exited"; exitCode: number | null; atMs: number }
  | { type: "probed"; runtime: ProbeVerdict; process: ProbeVerdict; atMs: number }
  | { type: "terminated"; atMs: number };

/** O12: activity younger than this contradicts a probe that says dead. */
const RECENT_ACTIVITY_MS = 60_000;

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

/** Gives the very same object when the event is no news, so that nothing is written for it. */
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

/** A Triage Agent that waits for a person is silent by nature, so waiting always counts as recent. */
function isProvenDead(facts: ActivityFacts, probe: ActivityEvent & { type: "probed" }): boolean {
  if (probe.runtime !== "dead" || probe.process !== "dead") return false;
  if (facts.state === "waiting_input") return false;
  return probe.atMs - facts.lastActivityAtMs > RECENT_ACTIVITY_MS;
}
