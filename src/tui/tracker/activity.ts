import type { TrackedState } from "../tracked-state.ts";

/** The durable activity of a Triage Run that an observation speaks for (O2). */
export type ObservedActivity = "active" | "waiting_input" | "idle";

/**
 * The bridge from observation to durable facts. null writes nothing: what is unknown, stale or merely between two Turns
 * is no fact. The end of a process is not read off a screen; whoever watches the process reports it.
 */
export function activityOf({ diagnostics, surface, turn }: TrackedState): ObservedActivity | null {
  if (diagnostics.availability !== "available") return null;
  if (surface.shows.type === "dialog" && surface.acceptingInput === "no") return "waiting_input";
  if (turn.phase === "active") return "active";
  return turn.phase === "ready" && !turn.isExplicitInputArmed ? "idle" : null;
}
