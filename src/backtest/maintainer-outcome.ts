import type { Issue, IssueComment, TimelineFact } from "../github/index.ts";
import type { LabelNames } from "../triage/index.ts";
import type { OurOutcome } from "../trust/index.ts";

/** The classes of maintainers' decisions on issues, with which our outcomes are compared. */
export const maintainerOutcomes = ["worked-on", "asked", "declined", "duplicate", "unknown"] as const;
export type MaintainerOutcome = (typeof maintainerOutcomes)[number];

export interface MaintainerVerdict {
  outcome: MaintainerOutcome;
  /** The rule that decided it: a row of the table in docs/backtest.md. */
  why: TruthRule;
  /** The commit or pull request that closed the issue; null: none is known. */
  fix: { commit: string } | { pull: number } | null;
}

export type TruthRule =
  | "marked-as-duplicate"
  | "duplicate-label"
  | "duplicate-comment"
  | "closed-by-commit"
  | "closed-by-pull-request"
  | "declined-label"
  | "asked-label"
  | "closed-as-not-planned"
  | "corrected-by-maintainer"
  | "nothing-tells";

const DUPLICATE = /^(?:type[:/ ]*|status[:/ ]*|resolution[:/ ]*)?duplicate$/i;
const DECLINED =
  /^(?:type[:/ ]*|status[:/ ]*|resolution[:/ ]*)?(?:wont ?fix|won't ?fix|invalid|not a bug|not-a-bug|works as intended|working as intended|by design|as designed|out of scope|rejected|declined)$/i;
const ASKED =
  /^(?:status[:/ ]*)?(?:needs?[ -](?:more[ -])?(?:info(?:rmation)?|repro(?:duction)?)|awaiting[ -](?:response|feedback|reply)|waiting[ -]for[ -](?:response|feedback|reporter)|more[ -]info(?:rmation)?[ -]needed|cannot[ -]reproduce|can't[ -]reproduce|no[ -]response|question)$/i;

export interface TruthFacts {
  issue: Issue;
  comments: readonly IssueComment[];
  timeline: readonly TimelineFact[];
}

/**
 * Returns what maintainers did with an issue, by the first matching row of the table in docs/backtest.md (E1). Pure. A person's
 * closing words are not interpreted: if labels, state, links and commits do not show the outcome, it is `unknown`. After an issue
 * was reopened, earlier closes, pull requests and comments no longer count. A label that was removed does not count either,
 * unless it asked for more information.
 */
export function maintainerVerdict(facts: TruthFacts, labels: LabelNames): MaintainerVerdict {
  const { issue, timeline } = facts;
  const isClosedNow = issue.state === "closed";
  const lastClose = timeline.findLast((fact) => fact.type === "closed");
  const last = lastClose !== undefined && isReopenedAfter(lastClose, timeline) ? undefined : lastClose;
  const merged = timeline.filter((fact) => fact.type === "merged-fix");
  const pull = merged.findLast((fact) => !isReopenedAfter(fact, timeline))?.pull ?? null;
  const commit = last?.commit ?? null;
  const fix = commit !== null ? { commit } : pull !== null ? { pull } : null;
  const has = (test: (label: string) => boolean): boolean =>
    issue.labels.some(test) || [...labelsOf(timeline)].some(([label, isOn]) => isOn && test(label));
  const hadEver = (test: (label: string) => boolean): boolean =>
    issue.labels.some(test) || [...labelsOf(timeline).keys()].some(test);
  const isRole = (role: "wontfix" | "needs-info") => (label: string) =>
    label.toLowerCase() === labels[role].toLowerCase();
  const verdict = (outcome: MaintainerOutcome, why: TruthRule): MaintainerVerdict => ({ outcome, why, fix });

  if (issue.stateReason === "duplicate" || isMarkedDuplicate(timeline))
    return verdict("duplicate", "marked-as-duplicate");
  if (has((label) => DUPLICATE.test(label))) return verdict("duplicate", "duplicate-label");
  if (isClosedNow && isSaidDuplicate(facts, last?.at ?? null))
    return verdict("duplicate", "duplicate-comment");
  if (commit !== null) return verdict("worked-on", "closed-by-commit");
  if (pull !== null) return verdict("worked-on", "closed-by-pull-request");
  if (has((label) => DECLINED.test(label) || isRole("wontfix")(label)))
    return verdict("declined", "declined-label");
  if (hadEver((label) => ASKED.test(label) || isRole("needs-info")(label)))
    return verdict("asked", "asked-label");
  if (issue.stateReason === "not_planned") return verdict("declined", "closed-as-not-planned");
  return verdict("unknown", "nothing-tells");
}

/** Returns whether the issue was reopened after a fact, so that the fact did not settle it. GitHub's times are in whole seconds. */
function isReopenedAfter({ at }: Pick<TimelineFact, "at">, timeline: readonly TimelineFact[]): boolean {
  return timeline.some((fact) => fact.type === "reopened" && Date.parse(fact.at) > Date.parse(at));
}

/** Returns every label that the issue ever had, and whether its last event added it. */
function labelsOf(timeline: readonly TimelineFact[]): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const fact of timeline)
    if (fact.type === "labeled" || fact.type === "unlabeled") found.set(fact.label, fact.type === "labeled");
  return found;
}

/** Returns whether the last mark says that the issue is a duplicate, because people may also remove the mark. */
function isMarkedDuplicate(timeline: readonly TimelineFact[]): boolean {
  const last = timeline.findLast(
    ({ type }) => type === "marked-as-duplicate" || type === "unmarked-as-duplicate",
  );
  return last?.type === "marked-as-duplicate";
}

/**
 * Returns whether a comment marks the issue as a duplicate by GitHub's convention for the first words. It counts only from the
 * person who closed the issue.
 */
function isSaidDuplicate({ comments, timeline }: TruthFacts, closedAt: string | null): boolean {
  const closer = timeline.findLast((fact) => fact.type === "closed")?.actor?.id ?? null;
  return (
    closedAt !== null &&
    comments.some(
      ({ author, body, isMinimised, createdAt }) =>
        // Hidden comments, and comments from before the issue was reopened, no longer count.
        isMinimised !== true &&
        !isReopenedAfter({ at: createdAt }, timeline) &&
        author !== null &&
        author.id === closer &&
        /^\s*(?:closing as (?:a )?)?duplicate of #\d+/i.test(body),
    )
  );
}

/**
 * Returns whether a maintainers' outcome can be compared with ours. An unknown one cannot, and neither can a duplicate: the issue
 * index holds today's issues, so a backtest offers no candidates, and the program cannot choose one.
 */
export function isComparable(theirs: MaintainerOutcome): boolean {
  return theirs !== "unknown" && theirs !== "duplicate";
}

/** Returns whether both outcomes agree; null if they cannot be compared. */
export function isAgreed(ours: OurOutcome, theirs: MaintainerOutcome): boolean | null {
  return isComparable(theirs) ? ours === theirs : null;
}

/** Returns whether we would have closed an issue that maintainers worked on or asked about. */
export function isFalseClose(close: string | null, theirs: MaintainerOutcome): boolean {
  return close !== null && (theirs === "worked-on" || theirs === "asked");
}
