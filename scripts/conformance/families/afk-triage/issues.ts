import type { Issue, IssueComment, IssueRef, Person } from "../../../../src/github/index.ts";
import { defaultLabelNames, type EligibilitySettings } from "../../../../src/triage/index.ts";

export const ref: IssueRef = { repo: "coder/agent-tty", number: 123 };
export const reporter: Person = { id: 2, login: "reporter", isBot: false };
export const settings: EligibilitySettings = {
  labels: defaultLabelNames,
  activity: "reporter",
  cooldownMs: 7 * 86_400_000,
  includeNeedsInfo: true,
};
export const nowMs = Date.parse("2026-05-01T00:00:00Z");

export function issueWith(change: Partial<Issue>): Issue {
  return {
    ref,
    title: "It fails",
    body: "It fails.",
    state: "open",
    stateReason: null,
    locked: false,
    labels: [],
    author: reporter,
    createdAt: "2026-04-30T09:00:00Z",
    updatedAt: "2026-04-30T09:00:00Z",
    isPullRequest: false,
    url: "https://github.com/coder/agent-tty/issues/123",
    commentCount: 0,
    reactionCount: 0,
    milestone: null,
    ...change,
  };
}

export function commentWith(
  comment: Pick<IssueComment, "id" | "body" | "author" | "createdAt">,
): IssueComment {
  return {
    ...comment,
    updatedAt: comment.createdAt,
    url: `https://github.com/coder/agent-tty/issues/123#${comment.id}`,
  };
}
