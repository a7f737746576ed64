import type { Issue, IssueComment, LabelEvent, TriageNotes } from "../../github/index.ts";
import type { Eligibility } from "../eligibility/index.ts";
import type { AskedQuestion } from "../resumption/index.ts";

/** An issue together with everything eligibility is decided from. */
export interface AssessedIssue {
  issue: Issue;
  comments: IssueComment[];
  /** Our newest trusted triage notes on it. */
  notes: TriageNotes | null;
  /** All trusted triage notes, the newest last. */
  history: TriageNotes[];
  /** null: they do not affect the eligibility of this issue, and were not read. */
  labelEvents: LabelEvent[] | null;
  /** The questions of our earlier notes, and the answers. */
  asked: AskedQuestion[];
  eligibility: Eligibility;
}

export type Candidate = AssessedIssue & { eligibility: Exclude<Eligibility, { type: "skipped" }> };

/** Returns whether the issue is to be triaged or repaired. */
export function isCandidate(assessed: AssessedIssue): assessed is Candidate {
  return assessed.eligibility.type !== "skipped";
}
