import { z } from "zod";
import { transition, type TriageRunEvent } from "../../../../src/runs/index.ts";
import { type CaseReport, compare, pickLike } from "../../case-report.ts";
import { factsOf, type LifecycleCase, NOW_MS, rowOf } from "./lifecycle-case.ts";

const unchanged = z.enum(["unchanged", "row byte-identical", "no write, no CDC event"]);
const row = z.strictObject({
  is_terminated: z.boolean().optional(),
  activity_state: z.string().optional(),
  first_signal_at: z.literal("set").nullable().optional(),
});

const PROBE_DEAD: TriageRunEvent = { type: "probed", runtime: "dead", process: "dead", atMs: NOW_MS };

/** The cases' names of the events of the durable facts. */
const EVENTS: Readonly<Record<string, TriageRunEvent>> = {
  "probe dead": PROBE_DEAD,
  "probe failed": { type: "probed", runtime: "unknown", process: "unknown", atMs: NOW_MS },
  "activity exited": { type: "triage-agent-exited", exitCode: 0, atMs: NOW_MS },
  "activity active": { type: "activity-signalled", activity: "active", atMs: NOW_MS },
  "activity idle": { type: "activity-signalled", activity: "idle", atMs: NOW_MS },
  "mark spawned": { type: "spawn-completed", isSignalCapable: true, atMs: NOW_MS },
};

/** Checks a case of the reducer; returns null if the case is about something else. */
export function checkFactsCase({ id, given, event, expect }: LifecycleCase): CaseReport[] | null {
  const known = typeof event === "string" ? EVENTS[event] : undefined;
  if (known === undefined || typeof given === "string") return null;
  const before = factsOf(given);
  const after = transition(before, known);
  if (unchanged.safeParse(expect).success)
    return [compare(id, "unchanged", after === before ? "unchanged" : rowOf(after))];
  const expected = row.safeParse(expect);
  return expected.success ? [compare(id, expected.data, pickLike(expected.data, rowOf(after)))] : null;
}

/** Checks that activity at the window's end overrides a probe that reports death, and that activity a second older does not. */
export function checkWindow(windowS: number): CaseReport {
  const isTerminated = (ageS: number): boolean => {
    const before = factsOf({ activity_state: "active", last_activity_age_s: ageS });
    return transition(before, PROBE_DEAD).activity.isTerminated;
  };
  return compare("recent activity window", [false, true], [windowS, windowS + 1].map(isTerminated));
}
