import type { Issue, IssueComment, LabelEvent, TriageNotes } from "../../src/github/index.ts";
import { type Activity, type EligibilityFacts, defaultLabelNames } from "../../src/triage/index.ts";
import { at, issueWith, viewer } from "./facts.ts";

const HOUR_MS = 3_600_000;

/** The facts of a case; those that it leaves out have no bearing on it. */
export interface EligibilityCase {
  issue?: Issue;
  comments?: IssueComment[];
  labelEvents?: LabelEvent[] | null;
  notes?: TriageNotes | null;
  activity?: Activity;
  includeNeedsInfo?: boolean;
  now?: string;
}

export function eligibilityFacts(facts: EligibilityCase): EligibilityFacts {
  const { activity = "reporter", includeNeedsInfo = true, notes = null, now = at("15:00") } = facts;
  return {
    issue: facts.issue ?? issueWith(),
    comments: facts.comments ?? [],
    labelEvents: facts.labelEvents === undefined ? [] : facts.labelEvents,
    notes,
    areNotesTrusted: true,
    viewerId: viewer.id,
    settings: { labels: defaultLabelNames, activity, includeNeedsInfo, cooldownMs: 7 * 24 * HOUR_MS },
    nowMs: Date.parse(now),
  };
}
