import type { Issue, IssueComment, OriginalBody, TimelineFact } from "../../github/index.ts";
import type { LabelNames } from "../../triage/index.ts";

export interface PastFacts {
  issue: Issue;
  comments: readonly IssueComment[];
  timeline: readonly TimelineFact[];
  /** null: not known. */
  originalBody: OriginalBody | null;
}

export interface PastIssue {
  issue: Issue;
  comments: IssueComment[];
  /** The facts that could not be restored to that time; the report shows them. */
  gaps: ("body-as-today" | "body-edited-before" | "comment-edited-since" | "comment-hidden")[];
}

/** Labels that an issue form sets arrive with the issue, a moment after it. */
const FORM_MS = 5_000;

/**
 * The issue as it was at `atMs` (epoch milliseconds), waiting for triage: open, nothing later in it. Pure. A comment that was edited
 * since is left out, because what it said then is not known and what it says now may tell the future. A hidden comment is left out,
 * because GitHub does not tell when it was hidden. The body is the one that was filed, also where it was edited before `atMs`: what
 * it said in between is not known.
 */
export function issueAsOf(
  { issue, comments, timeline, originalBody }: PastFacts,
  atMs: number,
  labels: LabelNames,
): PastIssue {
  const isThen = (at: string, slackMs = 0): boolean => Date.parse(at) <= atMs + slackMs;
  const written = comments.filter(({ createdAt }) => isThen(createdAt));
  const shown = written.filter(({ isMinimised }) => isMinimised !== true);
  const kept = shown.filter(({ updatedAt }) => isThen(updatedAt));
  const present = new Set<string>();
  for (const fact of timeline) {
    if (!isThen(fact.at, FORM_MS)) continue;
    if (fact.type === "labeled") present.add(fact.label);
    if (fact.type === "unlabeled") present.delete(fact.label);
  }
  const states = new Set(
    (["needs-triage", "needs-info", "ready-for-agent", "ready-for-human", "wontfix"] as const).map((role) =>
      labels[role].toLowerCase(),
    ),
  );
  const others = [...present].filter((label) => !states.has(label.toLowerCase()));
  const renamed = timeline.find((fact) => fact.type === "renamed" && !isThen(fact.at));
  const firstEdit = originalBody?.firstEditAt ?? null;
  const isEditedBefore = firstEdit !== null && isThen(firstEdit);
  const at = new Date(atMs).toISOString();
  return {
    issue: {
      ...issue,
      title: renamed?.type === "renamed" ? renamed.from : issue.title,
      body: originalBody?.text ?? issue.body,
      state: "open",
      stateReason: null,
      locked: false,
      labels: [...others, labels["needs-triage"]],
      updatedAt: at,
      commentCount: kept.length,
      reactionCount: 0,
      milestone: null,
    },
    comments: kept,
    gaps: [
      ...(originalBody === null ? (["body-as-today"] as const) : []),
      ...(isEditedBefore ? (["body-edited-before"] as const) : []),
      ...(kept.length < shown.length ? (["comment-edited-since"] as const) : []),
      ...(shown.length < written.length ? (["comment-hidden"] as const) : []),
    ],
  };
}
