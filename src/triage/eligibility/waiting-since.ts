import type { TriageNotes } from "../../github/index.ts";
import { type Activity, type ActivityFacts, firstActivityAtMs } from "./activity.ts";

/**
 * Returns the time since which an eligible issue has waited for its Triage Run, in epoch milliseconds: its creation, or the first
 * answer to our notes. null: a label, an edit or the passing of time made it eligible again, and the available facts do not say
 * when.
 */
export function waitingSinceMs(
  facts: ActivityFacts & { notes: TriageNotes | null; activity: Activity },
): number | null {
  const { issue, notes, activity } = facts;
  return notes === null ? Date.parse(issue.createdAt) : firstActivityAtMs(notes, facts, activity);
}
