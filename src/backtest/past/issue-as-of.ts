import type { Issue, IssueComment, OriginalBody, TimelineFact } from "../../github/index.ts";
import type { LabelNames } from "../../triage/index.ts";

export interface PastFacts {
  issue: Issue;
  comments: readonly IssueComment[];
  timeline: readonly TimelineFact[];
  /** null: unknown. */
  originalBody: OriginalBody | null;
}

export interface PastIssue {
  issue: Issue;
  comments: IssueComment[];
  /** The parts that could not be restored to that time; the report shows them. */
  gaps: ("body-as-today" | "body-edited-before" | "comment-edited-since" | "comment-hidden")[];
}

/** The labels of an issue form are set shortly after the issue is created. */
const FORM_MS = 5_000;

/**
 * Returns the issue as it was at `atMs` (epoch milliseconds), waiting for triage: open, without anything later. Pure. A comment
 * that was edited since is omitted, because its text at that time is unknown and its current text may contain later knowledge. A
 * hidden comment is omitted, because GitHub does not report when it was hidden. The body is the original one, even if it was
 * edited before `atMs`, because the texts in between are unknown.
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
