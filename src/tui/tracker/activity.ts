import type { TrackedState } from "../tracked-state.ts";

/** The durable activity of a Triage Run that an observation supports (O2). */
export type ObservedActivity = "active" | "waiting_input" | "idle";

/**
 * Returns an observation as a durable fact. Returns null, so that nothing is written, if the state is unknown, stale or between
 * two Turns. The screen never proves the end of a process; the process probe reports it.
 */
export function activityOf({ diagnostics, surface, turn }: TrackedState): ObservedActivity | null {
  if (diagnostics.availability !== "available") return null;
  if (surface.shows.type === "dialog" && surface.acceptingInput === "no") return "waiting_input";
  if (turn.phase === "active") return "active";
  return turn.phase === "ready" && !turn.isExplicitInputArmed ? "idle" : null;
}
