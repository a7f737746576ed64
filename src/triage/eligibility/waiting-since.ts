import type { TriageNotes } from "../../github/index.ts";
import { type Activity, type ActivityFacts, firstActivityAtMs } from "./activity.ts";

/**
 * Since when an eligible issue waits for its Triage Run, in epoch milliseconds: its opening, or the first answer to our notes.
 * null when a label, an edit or the passing of time brought it back, which no fact at hand dates.
 */
export function waitingSinceMs(
  facts: ActivityFacts & { notes: TriageNotes | null; activity: Activity },
): number | null {
  const { issue, notes, activity } = facts;
  return notes === null ? Date.parse(issue.createdAt) : firstActivityAtMs(notes, facts, activity);
}
