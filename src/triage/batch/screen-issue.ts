import type { Issue, IssueComment } from "../../github/index.ts";
import { conflictingLabels, looksLikeSecurityReport } from "../policy/index.ts";
import type { LabelNames } from "../labels.ts";

interface ScreenedIssue {
  issue: Issue;
  comments: readonly IssueComment[];
}

/**
 * Returns whether the reporter's own text is a vulnerability report (S16). It is called before a Coder workspace is created, so
 * that no Triage Agent is started for a vulnerability report and none writes an exploit.
 */
export function isSecurityReport({ issue, comments }: ScreenedIssue): boolean {
  return looksLikeSecurityReport(issue, reporterComments({ issue, comments }));
}

/** Returns whether the reporter's own text is a vulnerability report and the issue's labels allow a decision at all (policy 4). */
export function isCaughtEarly(screened: ScreenedIssue, labels: LabelNames): boolean {
  return conflictingLabels(screened.issue.labels, labels) === null && isSecurityReport(screened);
}

/** Returns the bodies of the comments that the issue's own author wrote. */
export function reporterComments({ issue, comments }: ScreenedIssue): string[] {
  return comments
    .filter(({ author }) => author !== null && author.id === issue.author?.id)
    .map(({ body }) => body);
}

/**
 * Returns the title that logs, store, report and board may show. It withholds that of a vulnerability report, which may itself
 * reveal the vulnerability.
 */
export function shownTitle(screened: ScreenedIssue): string {
  return isSecurityReport(screened)
    ? "(withheld: it reads like a vulnerability report)"
    : screened.issue.title;
}
