import { type Issue, issueKey } from "../../github/index.ts";
import type { LabelNames } from "../labels.ts";
import { labelOf } from "../policy/index.ts";

/** Open issues by the label they were listed under. */
export interface CandidateLists {
  needsTriage: readonly Issue[];
  needsInfo: readonly Issue[];
  /**
   * Only to find bugs whose close was cut off by a crash: closing comes last (policy 7), when no other label brings
   * the issue into a batch any more.
   */
  wontfix: readonly Issue[];
}

/** T1: needs-triage before needs-info, oldest first, each issue once, pull requests never. */
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
