import type { Issue, IssueComment, TimelineFact } from "../../src/github/index.ts";

export const maintainer = { id: 1, login: "maintainer", isBot: false };
export const reporter = { id: 2, login: "reporter", isBot: false };
export const base = { actor: maintainer, at: "2026-02-01T00:00:00Z" };

export function closedIssue(change: Partial<Issue> = {}): Issue {
  return {
    ref: { repo: "octo/widgets", number: 7 },
    title: "it breaks",
    body: "as today",
    state: "closed",
    stateReason: "completed",
    locked: false,
    labels: [],
    author: reporter,
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: "2026-02-01T00:00:00Z",
    isPullRequest: false,
    url: "",
    commentCount: 0,
    reactionCount: 3,
    milestone: "2.0",
    ...change,
  };
}

export function comment(body: string, change: Partial<IssueComment> = {}): IssueComment {
  const at = "2026-01-02T00:00:00Z";
  return { id: 1, body, author: maintainer, createdAt: at, updatedAt: at, url: "", ...change };
}

export const closed = { ...base, type: "closed", commit: null } satisfies TimelineFact;
