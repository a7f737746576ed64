import { type Issue, issueKey } from "../../github/index.ts";
import type { LabelNames } from "../labels.ts";
import { labelOf } from "../policy/index.ts";

/** Open issues by the label they were listed under. */
export interface CandidateLists {
  needsTriage: readonly Issue[];
  needsInfo: readonly Issue[];
  /**
   * Only used to find bugs whose publication was interrupted by a crash before the close. Closing is the last step (policy 7),
   * when the issue has no other label that would bring it into a batch.
   */
  wontfix: readonly Issue[];
}

/** Returns needs-triage issues before needs-info issues, the oldest first, each issue once, and no pull requests (T1). */
export function selectCandidates(lists: CandidateLists, labels: LabelNames): Issue[] {
  const unclosed = lists.wontfix.filter(
    (issue) => labelOf("bug", issue.labels, labels) !== null && issue.stateReason !== "reopened",
  );
  const ordered = [lists.needsTriage, lists.needsInfo, unclosed].flatMap((list) => list.toSorted(byAge));
  const byKey = new Map<string, Issue>();
  for (const issue of ordered) {
    const key = issueKey(issue.ref);
    if (!issue.isPullRequest && !byKey.has(key)) byKey.set(key, issue);
  }
  return [...byKey.values()];
}

function byAge(one: Issue, other: Issue): number {
  return Date.parse(one.createdAt) - Date.parse(other.createdAt) || one.ref.number - other.ref.number;
}
