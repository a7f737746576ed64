import type { Issue, IssueComment } from "../../github/index.ts";
import { conflictingLabels, looksLikeSecurityReport } from "../policy/index.ts";
import type { LabelNames } from "../labels.ts";

interface ScreenedIssue {
  issue: Issue;
  comments: readonly IssueComment[];
}

/**
 * S16: whether the reporter's own text is a vulnerability report. It is asked before a Coder workspace is made, because what
 * is caught here needs no Triage Agent, and nobody writes an exploit for it.
 */
export function isSecurityReport({ issue, comments }: ScreenedIssue): boolean {
  return looksLikeSecurityReport(issue, reporterComments({ issue, comments }));
}

/** The same, where the issue's labels allow a decision at all (policy 4). */
export function isCaughtEarly(screened: ScreenedIssue, labels: LabelNames): boolean {
  return conflictingLabels(screened.issue.labels, labels) === null && isSecurityReport(screened);
}

/** The bodies of the comments that the issue's own author wrote. */
export function reporterComments({ issue, comments }: ScreenedIssue): string[] {
  return comments
    .filter(({ author }) => author !== null && author.id === issue.author?.id)
    .map(({ body }) => body);
}

/** The title as logs, the store, the report and the board may have it: that of a vulnerability report may be the report. */
export function shownTitle(screened: ScreenedIssue): string {
  return isSecurityReport(screened)
    ? "(withheld: it reads like a vulnerability report)"
    : screened.issue.title;
}
